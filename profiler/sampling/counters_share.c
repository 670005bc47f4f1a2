/* counters_share.c: shares the counts of events out to BLAS, other code and threads, by samples. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sampling/counters_parts.h"

/* What the samples of one event say. */
struct shares {
	const struct timeline *timeline;
	const enum run_code *code; /* of each object */
	int64_t start_ns, end_ns;
	double (*by_task)[RUN_CODE_COUNT];
	double outside, all;
};

static void add_entry(struct shares *shares, const struct log_entry *entry)
{
	double count = (double)entry->count;
	uint32_t object;

	if (log_is_off_cpu(entry))
		return;
	object = address_object(shares->timeline->addresses.keys[entry->address]);
	shares->all += count;
	if (entry->time_ns < shares->start_ns || entry->time_ns > shares->end_ns)
		shares->outside += count;
	else
		shares->by_task[entry->task][shares->code[object]] += count;
}

/* A thread's row, where it has any part. The samples are a part of the count: factor makes it
 * whole. */
static int add_thread(const struct shares *shares, size_t task, double factor,
		      struct run_counter *counter, struct run *run)
{
	const double *parts = shares->by_task[task];
	struct run_thread_counter *row;

	if (!(parts[RUN_CODE_BLAS] + parts[RUN_CODE_OTHER] + parts[RUN_CODE_KERNEL] > 0))
		return 0;
	counter->blas += factor * parts[RUN_CODE_BLAS];
	counter->other += factor * parts[RUN_CODE_OTHER];
	counter->kernel += factor * parts[RUN_CODE_KERNEL];
	row = table_add(&run_tables[RUN_PART_THREAD_COUNTERS], run);
	if (!row)
		return -1;
	row->pid = shares->timeline->tasks[task].pid;
	row->tid = shares->timeline->tasks[task].tid;
	snprintf(row->event, sizeof row->event, "%s", counter->event);
	row->blas = factor * parts[RUN_CODE_BLAS];
	row->other = factor * parts[RUN_CODE_OTHER];
	row->kernel = factor * parts[RUN_CODE_KERNEL];
	return 0;
}

static int add_shares(const struct shares *shares, struct run_counter *counter, struct run *run)
{
	double factor = counter->count / shares->all;

	if (!(shares->all > 0) || !isfinite(factor))
		return 0;
	snprintf(counter->split, sizeof counter->split, "samples");
	counter->blas = counter->other = counter->kernel = 0;
	counter->outside = factor * shares->outside;
	for (size_t i = 0; i < shares->timeline->ntasks; i++)
		if (add_thread(shares, i, factor, counter, run))
			return -1;
	return 0;
}

static int share_one(struct shares *shares, const struct sample_log *log,
		     struct run_counter *counter, struct run *run)
{
	int result;

	shares->outside = shares->all = 0;
	shares->by_task = calloc(shares->timeline->ntasks, sizeof *shares->by_task);
	if (!shares->by_task)
		return -1;
	for (size_t i = 0; i < log->count; i++)
		add_entry(shares, &log->entries[i]);
	result = add_shares(shares, counter, run);
	free(shares->by_task);
	return result;
}

int counters_share(const struct counters *counters, const struct timeline *timeline,
		   const enum run_code *code, int64_t start_ns, int64_t end_ns, struct run *run)
{
	struct shares shares = {timeline, code, start_ns, end_ns, NULL, 0, 0};
	size_t first = run->ncounters - counters->count;

	for (size_t i = 0; i < counters->count; i++) {
		const struct sample_log *log = counters->items[i].by_clock ? &timeline->log
					       : i < timeline->ncounted ? &timeline->counted_logs[i]
									: NULL;

		if (log && share_one(&shares, log, &run->counters[first + i], run))
			return -1;
	}
	return 0;
}
