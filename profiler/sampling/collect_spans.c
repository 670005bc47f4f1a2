/* collect_spans.c: waits between the spans of threads, and samples during the calls among them. */
/* SPDX-License-Identifier: MIT */
#include "sampling/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/compute_unit.h"
#include "base/memory.h"
#include "symbols/naming.h"

/* The time between the first start and the last end of the spans of a thread. */
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

void collect_wait_spans(const struct collection *c)
{
	struct extent *extents = NULL, *row;
	struct run *run = c->run;
	size_t count = 0;

	EACH_ROW(span, run->spans, run->nspans) {
		row = find_extent(extents, count, span->pid, span->tid);
		if (!row) {
			row = memory_add(&extents, &count, sizeof *row);
			*row = (struct extent){span->pid, span->tid, span->start_ns, span->end_ns};
		}
		row->start_ns = smaller(row->start_ns, span->start_ns);
		row->end_ns = larger(row->end_ns, span->end_ns);
	}
	EACH_ROW(entry, c->log->entries, c->log->slice_ns ? 0 : c->log->count) {
		const struct task *task = &c->timeline->tasks[entry->task];
		int64_t end_ns = entry->time_ns - c->start_ns;
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
	if (c->log->slice_ns && count)
		run_add_note(run, "timeline_no_waits", "there were too many samples and waits");
	free(extents);
}

COMPARE(compare_spans, struct run_span *const,
	ORDER((*a)->pid, (*b)->pid) ?: ORDER((*a)->tid, (*b)->tid) ?:
	ORDER((*a)->start_ns, (*b)->start_ns))

/* The spans of calls, by thread and start. */
struct call_list {
	struct run_span **spans;
	size_t count;
};

/* Returns the call in which the thread was at that time, or NULL. */
static const struct run_span *find_call(const struct call_list *calls, int64_t pid, int64_t tid,
					int64_t at_ns)
{
	struct run_span key = {.pid = pid, .tid = tid, .start_ns = at_ns}, *const at = &key;
	size_t begun = ARRAY_BOUND(calls->count, i, compare_spans(&calls->spans[i], &at) <= 0);
	const struct run_span *last = begun ? calls->spans[begun - 1] : NULL;

	return last && last->pid == pid && last->tid == tid && last->end_ns >= at_ns ? last : NULL;
}

/* Returns the row of the call that the sample is part of, or NULL if that is not known. Spans have
 * no region: the first row of the shape takes the samples of all. */
static struct run_shape *find_shape(const struct call_list *calls, const struct task *task,
				    int is_caller, int64_t at_ns, struct run *run)
{
	const struct run_span *found = NULL, *call;

	if (is_caller)
		found = find_call(calls, task->pid, task->tid, at_ns);
	EACH_ROW(thread, run->threads, is_caller ? 0 : run->nthreads) {
		if (thread->pid != task->pid || !thread->calls)
			continue;
		call = find_call(calls, thread->pid, thread->tid, at_ns);
		if (found && call && call != found)
			return NULL;
		found = call ? call : found;
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

/* The samples of a shape by the type that their kernels multiply. */
static const char types[] = {'s', 'd', 'b', 'h', 'i'};
struct type_samples {
	uint64_t of[sizeof types];
	int unit[sizeof types];
};

/* Sets the compute unit of the call by the name of its kernel, and, if its arguments are not known,
 * the type: that of the kernels with most samples. */
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
	if (!found) /* a kernel that copies, for example */
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

void collect_call_samples(const struct collection *c)
{
	struct run *run = c->run;
	int single = run_blas_is_single(run);
	struct run_span *spans = run->nspans ? run->spans : c->calls->watched;
	size_t nspans = run->nspans ? run->nspans : c->calls->nwatched;
	FREED struct type_samples *by_type = memory_rows(run->nshapes, sizeof *by_type);
	struct call_list calls = {0};

	if (!nspans || c->log->slice_ns)
		return;
	EACH_ROW(span, spans, nspans)
		if (!strcmp(span->kind, "blas"))
			memory_append(&calls.spans, &calls.count, sizeof span, &span);
	SORT(calls.spans, calls.count, compare_spans);
	EACH_ROW(entry, c->log->entries, c->log->count) {
		int is_caller = c->sums[entry->task].calls_blas;
		const struct symbol_frame *frames;
		struct run_shape *shape;
		size_t count;

		if (!is_counted(c, entry) || (single && !is_caller) ||
		    c->code[entry->address] != RUN_CODE_BLAS || spins_outside_blas(c, entry))
			continue;
		shape = find_shape(&calls, &c->timeline->tasks[entry->task], is_caller,
				   entry->time_ns - c->start_ns, run);
		if (!shape)
			continue;
		*(is_caller ? &shape->samples_callers : &shape->samples_workers) += entry->count;
		count = naming_frames(c->naming, entry->address, &frames);
		add_kernel(shape, &by_type[shape - run->shapes], frames[count - 1].function,
			   entry->count);
	}
	free(calls.spans);
}
