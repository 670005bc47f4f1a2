/* call_workers.c: how much of the calls of each shape runs in BLAS's own threads, by the calls of
 * which it is known when they ran. */
/* SPDX-License-Identifier: MIT */
#include "sampling/call_workers.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* The calls of one thread, as addresses in struct calls. */
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

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare(const void *left, const void *right)
{
	const struct run_span *a = *(const struct run_span *const *)left;
	const struct run_span *b = *(const struct run_span *const *)right;
	int result = order(a->pid, b->pid);

	result = result ? result : order(a->tid, b->tid);
	return result ? result : order(a->start_ns, b->start_ns);
}

static int index_callers(struct calls *calls)
{
	struct caller *caller = NULL;

	for (size_t i = 0; i < calls->count; i++) {
		const struct run_span *span = calls->spans[i];

		if (!caller || caller->pid != span->pid || caller->tid != span->tid) {
			caller = array_add(&calls->callers, &calls->ncallers, sizeof *caller);
			if (!caller)
				return -1;
			*caller = (struct caller){span->pid, span->tid, i, i};
		}
		caller->end = i + 1;
	}
	return 0;
}

static int gather(const struct run_span *spans, size_t count, struct calls *calls)
{
	calls->spans = calloc(count + 1, sizeof(const struct run_span *));
	if (!calls->spans)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (!strcmp(spans[i].kind, "blas"))
			calls->spans[calls->count++] = &spans[i];
	qsort(calls->spans, calls->count, sizeof(const struct run_span *), compare);
	return index_callers(calls);
}

/* The caller's call in progress; NULL: none. */
static const struct run_span *find_call(const struct calls *calls, const struct caller *caller,
					int64_t at_ns)
{
	size_t low = caller->first, high = caller->end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (calls->spans[middle]->start_ns <= at_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low > caller->first && calls->spans[low - 1]->end_ns >= at_ns ? calls->spans[low - 1]
									     : NULL;
}

/* Whose call the sample is part of; NULL: nobody knows. */
static const struct run_span *find_span(const struct calls *calls, const struct task *task,
					int is_caller, int64_t at_ns)
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
	return found;
}

/* Spans know no region: of the shape's rows the first one takes all. */
static struct run_shape *find_shape(const struct run *run, const struct run_span *span)
{
	for (size_t i = 0; i < run->nshapes; i++) {
		struct run_shape *shape = &run->shapes[i];

		if (!shape->shape.other_shapes && shape->shape.m == span->m &&
		    shape->shape.n == span->n && shape->shape.k == span->k &&
		    shape->shape.transa == span->transa && shape->shape.transb == span->transb &&
		    !strcmp(shape->shape.routine, span->name))
			return shape;
	}
	return NULL;
}

int call_workers_add(const struct call_workers *workers, struct run *run)
{
	const struct timeline *timeline = workers->timeline;
	const struct sample_log *log = &timeline->log;
	struct calls calls = {0};
	int single = run_blas_is_single(run), failed = 0;

	if ((!run->nspans && !workers->nwatched) || log->slice_ns)
		return 0;
	failed = run->nspans ? gather(run->spans, run->nspans, &calls)
			     : gather(workers->watched, workers->nwatched, &calls);
	for (size_t i = 0; i < log->count && !failed; i++) {
		const struct log_entry *entry = &log->entries[i];
		const struct run_span *span;
		struct run_shape *shape;

		if (log_is_off_cpu(entry) || (single && !workers->calls_blas[entry->task]) ||
		    workers->code[address_object(timeline->addresses.keys[entry->address])] !=
			    RUN_CODE_BLAS)
			continue;
		span = find_span(&calls, &timeline->tasks[entry->task],
				 workers->calls_blas[entry->task],
				 entry->time_ns - workers->roi_start_ns);
		shape = span ? find_shape(run, span) : NULL;
		if (shape && workers->calls_blas[entry->task])
			shape->samples_callers += entry->count;
		else if (shape)
			shape->samples_workers += entry->count;
	}
	free(calls.spans);
	free(calls.callers);
	return failed;
}
