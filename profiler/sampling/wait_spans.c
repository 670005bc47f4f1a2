/* wait_spans.c: adds to the timeline when its threads were off the CPU. */
/* SPDX-License-Identifier: MIT */
#include "sampling/wait_spans.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

/* From when to when a thread's timeline goes. */
struct extent {
	int64_t pid, tid, start_ns, end_ns;
};
struct extents {
	struct extent *rows;
	size_t count;
};

static struct extent *find(const struct extents *all, int64_t pid, int64_t tid)
{
	for (size_t i = all->count; i--;)
		if (all->rows[i].tid == tid && all->rows[i].pid == pid)
			return &all->rows[i];
	return NULL;
}

static int gather(const struct run *run, struct extents *all)
{
	for (size_t i = 0; i < run->nspans; i++) {
		const struct run_span *span = &run->spans[i];
		struct extent *row = find(all, span->pid, span->tid);

		if (!row) {
			row = array_add(&all->rows, &all->count, sizeof *row);
			if (!row)
				return -1;
			*row = (struct extent){span->pid, span->tid, span->start_ns, span->end_ns};
		}
		row->start_ns = span->start_ns < row->start_ns ? span->start_ns : row->start_ns;
		row->end_ns = span->end_ns > row->end_ns ? span->end_ns : row->end_ns;
	}
	return 0;
}

static int add_span(const struct log_entry *entry, const struct task *task, int64_t roi_start_ns,
		    const struct extents *all, struct run *run)
{
	const struct extent *extent = find(all, task->pid, task->tid);
	int64_t end_ns = entry->time_ns - roi_start_ns, start_ns = end_ns - (int64_t)entry->count;
	struct run_span *span;

	if (!extent || end_ns <= extent->start_ns || start_ns >= extent->end_ns)
		return 0;
	span = table_add(&run_tables[RUN_PART_SPANS], run);
	if (!span)
		return -1;
	span->pid = task->pid;
	span->tid = task->tid;
	snprintf(span->kind, sizeof span->kind, "%s",
		 entry->address == LOG_WAITING ? "waiting" : "no CPU");
	span->start_ns = start_ns;
	span->end_ns = end_ns;
	return 0;
}

int wait_spans_add(const struct timeline *timeline, int64_t roi_start_ns, struct run *run)
{
	const struct sample_log *log = &timeline->log;
	struct extents all = {0};
	int failed = gather(run, &all);

	for (size_t i = 0; i < log->count && !failed && !log->slice_ns; i++)
		if (log_is_off_cpu(&log->entries[i]))
			failed = add_span(&log->entries[i], &timeline->tasks[log->entries[i].task],
					  roi_start_ns, &all, run);
	if (log->slice_ns && all.count)
		run_add_note(run, "timeline_no_waits", "there were too many samples and waits");
	free(all.rows);
	return failed;
}
