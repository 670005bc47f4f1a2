/* collect_shapes.c: the calls by shape, from the shim's record files. */
/* SPDX-License-Identifier: MIT */
#include "calls/collect_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas/routines.h"

/* The bucket in ns for a bucket in ticks: where the middle of its logarithm falls, own cost taken
 * out. */
static int bucket_in_ns(unsigned bucket, const struct thread_frame *frame)
{
	double low = (double)histogram_low(bucket), high = (double)histogram_low(bucket + 1);

	return run_bucket(sqrt(low * high) * frame->line.ns_per_tick - frame->call_inside_ns);
}

static int64_t call_ns(uint64_t ticks, uint64_t calls, const struct thread_frame *frame)
{
	double ns = (double)ticks * frame->line.ns_per_tick - (double)calls * frame->call_inside_ns;

	return ns > 0 ? (int64_t)fmin(ns, (double)clock_line_span_ns(&frame->line, ticks)) : 0;
}

void name_routine(struct run_shape *shape, size_t id)
{
	char name[ROUTINE_NAME_MAX];

	snprintf(shape->shape.routine, sizeof shape->shape.routine, "%s",
		 routine_name(routine_common(id), name));
	if (id != routine_common(id))
		snprintf(shape->shape.variant, sizeof shape->shape.variant, "%s",
			 routine_door_of(id)->pattern);
	shape->shape.type = routine_of(id)->type;
}

void name_shape(struct run_shape *shape, const struct shape_key *key, struct process_file *file)
{
	memset(shape, 0, sizeof *shape);
	name_routine(shape, shape_routine(key));
	shape->shape.other_shapes = shape_transa(key) == SHAPE_OTHER;
	shape->shape.transa = shape->shape.other_shapes
				      ? '-'
				      : routine_transpose(shape_routine(key), shape_transa(key));
	shape->shape.transb = routine_transpose(shape_routine(key), shape_transb(key));
	region_name(file, shape_region(key), shape->shape.region, sizeof shape->shape.region);
	shape->shape.m = key->m;
	shape->shape.n = key->n;
	shape->shape.k = key->k;
}

static void add_record(struct run_shape *shape, const struct shape_record *record,
		       const struct thread_frame *frame)
{
	int64_t min_ns = call_ns(record->min_ticks, 1, frame);
	int64_t max_ns = call_ns(record->max_ticks, 1, frame);
	double calls = (double)record->calls;

	shape->min_ns = shape->calls && shape->min_ns < min_ns ? shape->min_ns : min_ns;
	shape->max_ns = shape->max_ns > max_ns ? shape->max_ns : max_ns;
	shape->calls += record->calls;
	shape->total_ns += call_ns(record->ticks, record->calls, frame);
	shape->flops += sound_amount(record->flops_per_call * calls + record->other_flops);
	shape->bytes += sound_amount(record->bytes_per_call * calls + record->other_bytes);
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		if (record->histogram[i])
			shape->histogram[bucket_in_ns(i, frame)] += record->histogram[i];
}

void fill_shape(struct run_shape *shape, const struct shape_record *const *records, size_t count,
		const struct thread_frame *frame, struct process_file *file)
{
	name_shape(shape, &records[0]->key, file);
	for (size_t i = 0; i < count; i++)
		add_record(shape, records[i], frame);
}

int shape_key_order(const struct shape_key *a, const struct shape_key *b)
{
	if (a->head != b->head)
		return a->head < b->head ? -1 : 1;
	if (a->m != b->m)
		return a->m < b->m ? -1 : 1;
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	return (a->k > b->k) - (a->k < b->k);
}

int collect_shapes(struct process_file *file, const struct thread_frame *frame, struct run *run)
{
	const struct shape_record **rows = file->shapes;

	for (size_t i = 0, next; i < file->nshapes; i = next) {
		struct run_shape *shape = run_add_shape(run);

		if (!shape)
			return -1;
		for (next = i + 1; next < file->nshapes; next++)
			if (shape_key_order(&rows[i]->key, &rows[next]->key))
				break;
		fill_shape(shape, &rows[i], next - i, frame, file);
	}
	return 0;
}
