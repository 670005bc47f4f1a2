/* spans.c: brings the timeline of a run into the order that drawing it takes. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "report/build.h"

/* A region holds the call that is as long. */
COMPARE(compare_spans, struct run_span,
	ORDER(a->pid, b->pid) ?: ORDER(a->tid, b->tid) ?: ORDER(a->start_ns, b->start_ns) ?:
	ORDER(b->end_ns, a->end_ns) ?: strcmp(b->kind, a->kind))

static void *copy_rows(const void *rows, size_t count, size_t row_bytes)
{
	void *copy = memory_rows(count, row_bytes);

	if (count)
		memcpy(copy, rows, count * row_bytes);
	return copy;
}

void build_timeline(const struct run *runs, size_t count, struct report *report)
{
	struct report_timeline *timeline = &report->timeline;
	const struct run *run = NULL;

	for (size_t i = 0; i < count; i++)
		run = runs[i].nspans ? &runs[i] : run;
	if (!run)
		return;
	timeline->run = run->id;
	timeline->command = memory_text(run->command);
	timeline->spans = copy_rows(run->spans, run->nspans, sizeof *run->spans);
	timeline->threads = copy_rows(run->threads, run->nthreads, sizeof *run->threads);
	timeline->processes = copy_rows(run->processes, run->nprocesses, sizeof *run->processes);
	timeline->nspans = run->nspans;
	timeline->nthreads = run->nthreads;
	timeline->nprocesses = run->nprocesses;
	qsort(timeline->spans, timeline->nspans, sizeof *timeline->spans, compare_spans);
}

void report_timeline_free(struct report_timeline *timeline)
{
	free(timeline->command);
	free(timeline->spans);
	free(timeline->threads);
	free(timeline->processes);
}
