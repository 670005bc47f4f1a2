/* spans.c: brings the timeline of a run into the order that drawing it takes. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "report/build.h"

static int compare_spans(const void *left, const void *right)
{
	const struct run_span *a = left, *b = right;

	if (a->pid != b->pid || a->tid != b->tid)
		return (a->pid != b->pid ? a->pid < b->pid : a->tid < b->tid) ? -1 : 1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	if (a->end_ns != b->end_ns)
		return a->end_ns > b->end_ns ? -1 : 1;
	return strcmp(b->kind, a->kind); /* a region holds the call that is as long */
}

/* A fresh copy of so many rows; with none, of one byte. NULL when memory is out. */
static void *copy_rows(const void *rows, size_t count, size_t row_bytes)
{
	void *copy = malloc(count * row_bytes + 1);

	if (copy && count)
		memcpy(copy, rows, count * row_bytes);
	return copy;
}

int build_timeline(const struct run *runs, size_t count, struct report *report)
{
	struct report_timeline *timeline = &report->timeline;
	const struct run *run = NULL;

	for (size_t i = 0; i < count; i++)
		run = runs[i].nspans ? &runs[i] : run;
	if (!run)
		return 0;
	timeline->run = run->id;
	timeline->command = strdup(run->command ? run->command : "");
	timeline->spans = copy_rows(run->spans, run->nspans, sizeof *run->spans);
	timeline->threads = copy_rows(run->threads, run->nthreads, sizeof *run->threads);
	timeline->processes = copy_rows(run->processes, run->nprocesses, sizeof *run->processes);
	if (!timeline->command || !timeline->spans || !timeline->threads || !timeline->processes)
		return -1;
	timeline->nspans = run->nspans;
	timeline->nthreads = run->nthreads;
	timeline->nprocesses = run->nprocesses;
	qsort(timeline->spans, timeline->nspans, sizeof *timeline->spans, compare_spans);
	return 0;
}

void report_timeline_free(struct report_timeline *timeline)
{
	free(timeline->command);
	free(timeline->spans);
	free(timeline->threads);
	free(timeline->processes);
}
