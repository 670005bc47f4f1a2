/* collect_spans.c: waits between the spans of threads, and samples in the calls among them. */
/* SPDX-License-Identifier: MIT */
#include "sampling/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/compute_unit.h"
#include "symbols/naming.h"

/* The time between the first start and the last end of a thread's spans. */
struct extent {
	int64_t pid, tid, start_ns, end_ns;
};

static struct extent *find_extent(struct extent *extents, size_t count, int64_t pid, int64_t tid)
{
	for (size_t i = count; i--;)
		if (extents[i].tid == tid && extents[i].pid == pid)
			return &extents[i];
	return NULL;
}

void collect_wait_spans(const struct timeline *timeline, int64_t roi_start_ns, struct run *run)
{
	const struct sample_log *log = &timeline->log;
	struct extent *extents = NULL, *row;
	size_t count = 0;

	for (size_t i = 0; i < run->nspans; i++) {
		const struct run_span *span = &run->spans[i];

		row = find_extent(extents, count, span->pid, span->tid);
		if (!row) {
			row = memory_add(&extents, &count, sizeof *row);
			*row = (struct extent){span->pid, span->tid, span->start_ns, span->end_ns};
		}
		row->start_ns = span->start_ns < row->start_ns ? span->start_ns : row->start_ns;
		row->end_ns = span->end_ns > row->end_ns ? span->end_ns : row->end_ns;
	}
	for (size_t i = 0; i < log->count && !log->slice_ns; i++) {
		const struct log_entry *entry = &log->entries[i];
		const struct task *task = &timeline->tasks[entry->task];
		int64_t end_ns = entry->time_ns - roi_start_ns;
		int64_t start_ns = end_ns - (int64_t)entry->count;
		struct run_span *span;

		row = log_is_off_cpu(entry) ? find_extent(extents, count, task->pid, task->tid)
					    : NULL;
		if (!row || end_ns <= row->start_ns || start_ns >= row->end_ns)
			continue;
		span = table_add(&run_tables[RUN_PART_SPANS], run);
		span->pid = task->pid;
		span->tid = task->tid;
		snprintf(span->kind, sizeof span->kind, "%s",
			 entry->address == LOG_WAITING ? "waiting" : "no CPU");
		span->start_ns = start_ns;
		span->end_ns = end_ns;
	}
	if (log->slice_ns && count)
		run_add_note(run, "timeline_no_waits", "there were too many samples and waits");
	free(extents);
}

/* The calls of one thread, by number in struct calls. */
struct caller {
	int64_t pid, tid;
	size_t first, end;
};
struct calls {
	const struct run_span **spans; /* of calls, by thread and start */
	size_t count;
	struct caller *callers;
	size_t ncallers;
};

COMPARE(compare_spans, struct run_span *const,
	ORDER((*a)->pid, (*b)->pid) ?: ORDER((*a)->tid, (*b)->tid) ?:
	ORDER((*a)->start_ns, (*b)->start_ns))

static void list_calls(const struct run_span *spans, size_t count, struct calls *calls)
{
	struct caller *caller = NULL;

	calls->spans = memory_rows(count, sizeof(const struct run_span *));
	for (size_t i = 0; i < count; i++)
		if (!strcmp(spans[i].kind, "blas"))
			calls->spans[calls->count++] = &spans[i];
	qsort(calls->spans, calls->count, sizeof(const struct run_span *), compare_spans);
	for (size_t i = 0; i < calls->count; i++) {
		const struct run_span *span = calls->spans[i];

		if (!caller || caller->pid != span->pid || caller->tid != span->tid) {
			caller = memory_add(&calls->callers, &calls->ncallers, sizeof *caller);
			*caller = (struct caller){span->pid, span->tid, i, i};
		}
		caller->end = i + 1;
	}
}

/* The caller's call in progress; NULL: none. */
static const struct run_span *find_call(const struct calls *calls, const struct caller *caller,
					int64_t at_ns)
{
	const struct run_span **spans = calls->spans + caller->first;
	size_t begun = ARRAY_BOUND(caller->end - caller->first, i, spans[i]->start_ns <= at_ns);

	return begun && spans[begun - 1]->end_ns >= at_ns ? spans[begun - 1] : NULL;
}

/* The row of the call that the sample is part of; NULL: not known. Spans know no region: of the
 * shape's rows the first one takes all. */
static struct run_shape *find_shape(const struct calls *calls, const struct task *task,
				    int is_caller, int64_t at_ns, struct run *run)
{
	const struct run_span *found = NULL;

	for (size_t i = 0; i < calls->ncallers; i++) {
		const struct caller *caller = &calls->callers[i];
		const struct run_span *span;

		if (caller->pid != task->pid || (is_caller && caller->tid != task->tid))
			continue;
		span = find_call(calls, caller, at_ns);
		if (span && found)
			return NULL;
		found = span ? span : found;
	}
	for (size_t i = 0; i < run->nshapes && found; i++) {
		const struct call_shape *shape = &run->shapes[i].shape;

		if (!shape->other_shapes && shape->type == found->type && shape->m == found->m &&
		    shape->n == found->n && shape->k == found->k &&
		    shape->transa == found->transa && shape->transb == found->transb &&
		    !strcmp(shape->routine, found->name))
			return &run->shapes[i];
	}
	return NULL;
}

/* Samples of a shape by what their kernels multiply. */
static const char types[] = {'s', 'd', 'b', 'h', 'i'};
struct type_samples {
	uint64_t of[sizeof types];
	int unit[sizeof types];
};

/* The name of its kernel tells the call's unit, and the type where its arguments are not known: of
 * the kernels with most samples. */
static void add_kernel(struct run_shape *shape, struct type_samples *samples, const char *kernel,
		       uint64_t count)
{
	int unit = (int)compute_unit_of(kernel), type = compute_type_of(kernel);
	const char *found = memchr(types, type, sizeof types);
	size_t at, most = 0;

	if (shape->shape.type != 'u') {
		shape->unit = unit > shape->unit ? unit : shape->unit;
		return;
	}
	if (!found) /* as those that copy */
		return;
	at = (size_t)(found - types);
	samples->of[at] += count;
	samples->unit[at] = unit > samples->unit[at] ? unit : samples->unit[at];
	for (size_t i = 0; i < sizeof types; i++)
		if (samples->of[i] > samples->of[most])
			most = i;
	shape->kernel_type = types[most];
	shape->unit = samples->unit[most];
}

void collect_call_samples(const struct call_samples *samples, struct run *run)
{
	const struct timeline *timeline = samples->timeline;
	const struct sample_log *log = &timeline->log;
	struct calls calls = {0};
	struct type_samples *by_type;
	int single = run_blas_is_single(run);

	if ((!run->nspans && !samples->nwatched) || log->slice_ns)
		return;
	by_type = memory_rows(run->nshapes, sizeof *by_type);
	if (run->nspans)
		list_calls(run->spans, run->nspans, &calls);
	else
		list_calls(samples->watched, samples->nwatched, &calls);
	for (size_t i = 0; i < log->count; i++) {
		const struct log_entry *entry = &log->entries[i];
		int is_caller = samples->calls_blas[entry->task];
		const struct symbol_frame *frames;
		struct run_shape *shape;
		size_t count;

		if (log_is_off_cpu(entry) || (single && !is_caller) ||
		    samples->code[entry->address] != RUN_CODE_BLAS)
			continue;
		shape = find_shape(&calls, &timeline->tasks[entry->task], is_caller,
				   entry->time_ns - samples->roi_start_ns, run);
		if (!shape)
			continue;
		*(is_caller ? &shape->samples_callers : &shape->samples_workers) += entry->count;
		count = naming_frames(samples->naming, entry->address, &frames);
		add_kernel(shape, &by_type[shape - run->shapes], frames[count - 1].function,
			   entry->count);
	}
	free(by_type);
	free(calls.spans);
	free(calls.callers);
}
