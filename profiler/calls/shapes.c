/* shapes.c: adds the calls to the run by shape and by caller. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/array.h"
#include "base/compute_unit.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "blas/routines.h"
#include "calls/records.h"
#include "symbols/naming.h"

void shape_set_routine(struct call_shape *shape, size_t id)
{
	char name[ROUTINE_NAME_MAX];

	shape->routine = string_pooled(routine_name(routine_common(id), name));
	shape->variant = id != routine_common(id) ? routine_variant_of(id)->pattern : "";
	shape->type = routine_of(id)->type;
	shape->way = ways[routine_of(id)->way].name;
}

struct call_shape shape_of(struct record_file *file, const struct shape_key *key)
{
	int is_of_others = shape_transa(key) == SHAPE_OTHER;
	struct call_shape shape = {
		.transa = routine_transpose(shape_routine(key), shape_transa(key)),
		.transb = routine_transpose(shape_routine(key), shape_transb(key)),
		.m = key->m,
		.n = key->n,
		.k = key->k,
		.region = record_region(file, shape_region(key)),
		/* all LAPACK calls have the same shape: none */
		.other_shapes = is_of_others && routine_of(shape_routine(key))->way != WAY_lapack,
	};

	if (is_of_others)
		shape.transa = '-';
	shape_set_routine(&shape, shape_routine(key));
	return shape;
}

static int64_t call_ns(uint64_t ticks, uint64_t calls, const struct thread_frame *frame)
{
	double ns = (double)ticks * frame->line.ns_per_tick - (double)calls * frame->call_inside_ns;

	return ns > 0 ? (int64_t)fmin(ns, (double)clock_line_span_ns(&frame->line, ticks)) : 0;
}

static void shape_row(struct record_file *file, const struct shape_record *record,
		      const struct thread_frame *frame, struct run_shape *row)
{
	uint64_t histogram[RUN_HISTOGRAM_BUCKETS] = {0};
	uint64_t calls = shape_calls(record);
	int64_t total_ns = call_ns(record->ticks, calls, frame);

	*row = (struct run_shape){
		.shape = shape_of(file, &record->key),
		.calls = calls,
		.total_ns = total_ns,
		.min_ns = record->min_ticks == UINT64_MAX ? total_ns / larger((int64_t)calls, 1)
							  : call_ns(record->min_ticks, 1, frame),
		.max_ns = call_ns(record->max_ticks, 1, frame),
		.wall_ns = call_ns(record->ticks + record->no_cpu_ticks, calls, frame),
		.flops = valid_amount((double)record->flops_per_call * (double)calls +
				      record->other_flops),
		.bytes = valid_amount(record->bytes_per_call * (double)calls + record->other_bytes),
		.unit = record->unit < UNITS ? (int)record->unit : UNIT_UNKNOWN,
	};

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		uint64_t in_bucket = shape_bucket(record, i);
		/* a bucket in ticks stands for the geometric mean of its limits */
		double ticks = sqrt((double)histogram_low(i) * (double)histogram_low(i + 1));
		double ns = ticks * frame->line.ns_per_tick - frame->call_inside_ns;

		/* the time of a call without a CPU is not known well enough to be the fastest */
		if (in_bucket)
			histogram[run_bucket(fmax(ns, (double)row->min_ns))] += in_bucket;
	}
	row->histogram = histogram_of(histogram);
}

static int same_shape(const struct shape_key *a, const struct shape_key *b)
{
	return a->head == b->head && a->m == b->m && a->n == b->n && a->k == b->k;
}

/* Each thread and caller has its own records; records of the same shape are adjacent. */
void collect_shapes(struct records *records, struct run *run)
{
	const struct table *table = &run_tables[RUN_PART_SHAPES];

	EACH_ROW(file, records->files, records->count) {
		struct run_shape *shape = NULL;

		for (size_t j = 0; j < file->nshapes; j++) {
			const struct shape_record *record = file->shapes[j];
			struct run_shape row;

			shape_row(file, record, &records->frame, &row);
			if (j && same_shape(&record->key, &file->shapes[j - 1]->key)) {
				table_merge(table, shape, &row);
				table_free_row(table, &row);
			} else {
				shape = table_add(table, run);
				*shape = row;
			}
		}
	}
	table_merge_rows(table, run);
}

/* Returns the address of the call itself, which is before its return address `caller`. */
static uint32_t find_address(struct address_table *addresses, struct record_file *file,
			     uint64_t caller)
{
	uint64_t address = caller - 1;
	const struct map_record *map;
	const char *path;
	uint32_t object;

	EACH_RECORD(map, &file->file, CHUNK_MAPS)
		if (address >= map->start && address < map->end)
			break;
	if (!map || !caller)
		return address_table_number(addresses, OBJECT_UNKNOWN, 0);
	path = TEXT(map->path);
	if (*path == '/') {
		object = address_table_object(addresses, path,
					      &(struct file_id){.inode = map->inode}, 0);
		return address_table_number(addresses, object, address - map->start + map->offset);
	}
	object = address_table_memory(addresses, *path ? path : "[anon]", (uint32_t)file->pid);
	return address_table_number(addresses, object, address & ADDRESS_OFFSET_ANY);
}

/* Sets *location if the program's language has told the call site. Returns 1 if so, else 0. */
static int locate_site(struct record_file *file, uint64_t caller, struct code_location *location)
{
	const struct call_site *site;
	const char *source;

	EACH_RECORD(site, &file->file, CHUNK_CALL_SITES)
		if (site->place == caller)
			break;
	if (!site || !caller)
		return 0;
	source = TEXT(site->file);
	code_location_set(location, TEXT(site->function), source, "", source,
			  site->line > 0 && site->line < INT32_MAX ? (int)site->line : 0);
	return 1;
}

/* Sets the locations of the rows. Discards notes on objects that cannot be read, because the
 * sampler adds them. */
static void name_callers(const struct address_table *addresses, const uint32_t *address_of,
			 struct run *run)
{
	FREED uint64_t *counts = memory_rows(addresses->nkeys, sizeof *counts);
	const struct jit_processes jits = {0};
	int64_t started_ns = INT64_MAX;
	struct naming *naming;
	struct run unwanted;
	struct tm utc = {0};

	/* the run's start is known to the second, so it is rounded up */
	if (strptime(run->started, "%Y-%m-%dT%H:%M:%SZ", &utc))
		started_ns = ((int64_t)timegm(&utc) + 1) * 1000000000;
	for (size_t i = 0; i < run->ncallers; i++)
		if (address_of[i] != IDMAP_NONE)
			counts[address_of[i]] += run->callers[i].calls;
	run_init(&unwanted);
	naming = naming_make(addresses, counts, counts, &jits, started_ns, &unwanted);
	run_free(&unwanted);
	for (size_t i = 0; i < run->ncallers; i++)
		if (address_of[i] != IDMAP_NONE)
			naming_locate(naming, addresses, address_of[i], &run->callers[i].location);
	naming_free(naming);
}

void collect_callers(struct records *records, struct address_table *addresses, struct run *run)
{
	FREED uint32_t *address_of =
		NULL; /* of each row, or IDMAP_NONE if its location is already set */
	size_t count = 0;

	EACH_ROW(file, records->files, records->count) {
		struct run_caller *row = NULL;

		for (size_t j = 0; j < file->nshapes; j++) {
			const struct shape_record *record = file->shapes[j];
			const struct shape_key *last = j ? &file->shapes[j - 1]->key : NULL;
			uint64_t calls;

			if (!last || last->caller != record->key.caller ||
			    !same_shape(last, &record->key)) {
				uint32_t address = IDMAP_NONE;

				row = table_add(&run_tables[RUN_PART_CALLERS], run);
				row->shape = shape_of(file, &record->key);
				if (!locate_site(file, record->key.caller, &row->location))
					address = find_address(addresses, file, record->key.caller);
				memory_append(&address_of, &count, sizeof address, &address);
			}
			calls = shape_calls(record);
			row->calls += calls;
			row->total_ns += call_ns(record->ticks, calls, &records->frame);
		}
	}
	name_callers(addresses, address_of, run);
	table_merge_rows(&run_tables[RUN_PART_CALLERS], run);
}
