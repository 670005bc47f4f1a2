/* meeting.c: learns from recorded waits and threads how a program's threads meet. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "report/build.h"

/* A few meetings are a program's start and end. */
#define MEETINGS_MIN	     10
/* Calls of parts of a pipeline differ by more than calls of equal parts do at their edges. */
#define STAGE_SIZES_DIFFER   1.5
#define PIPELINE_BLOCKED_MIN 0.05 /* of the callers' time */
#define STAGE_ONE_IN	     20	  /* a thread takes part from 5 % of the busiest's time on */

/* What the runs of one thread count add up to. */
struct seen {
	double calls, meetings;
	double blocked_ns, alive_ns; /* of the threads that call */
};

/* Of n threads that meet at a barrier all but the last wait. */
static void count_meetings(const struct run *run, int n, struct seen *seen)
{
	double waits = 0, callers = 0;

	EACH_ROW(wait, run->waits, run->nwaits)
		if (!strcmp(wait->kind, "barrier") && !wait->in_blas)
			waits += (double)wait->waits;
	EACH_ROW(thread, run->threads, run->nthreads) {
		if (!thread->calls)
			continue;
		callers++;
		seen->calls += (double)thread->calls;
		seen->blocked_ns += (double)thread->times.ns[CAT_WAITING];
		seen->alive_ns += (double)thread->end_ns - (double)thread->start_ns;
	}
	waits /= n - 1;
	/* threads that are started anew meet at each start */
	seen->meetings += waits > callers / n ? waits : callers / n;
}

COMPARE(compare_longest_first, double, ORDER(*b, *a))

static double busy_of(const struct run_thread *thread)
{
	return (double)(thread->times.ns[CAT_BLAS] + thread->times.ns[CAT_OTHER]);
}

struct stage {
	double busy, size; /* of its calls, in flops; 0: it makes none */
};

COMPARE(compare_size, struct stage, ORDER(a->size, b->size))

/* The busy times of the threads that take part in the run, longest first; none where two threads'
 * calls are of one size, for they do the same work. */
static void find_stages(const struct run *run, struct scaling *scaling)
{
	struct stage *stages = memory_rows(run->nthreads, sizeof *stages);
	double busiest = 0;
	size_t count = 0;

	scaling->stages = memory_rows(run->nthreads, sizeof *scaling->stages);
	EACH_ROW(thread, run->threads, run->nthreads)
		busiest = fmax(busiest, busy_of(thread));
	EACH_ROW(thread, run->threads, run->nthreads) {
		if (busy_of(thread) * STAGE_ONE_IN < busiest)
			continue;
		stages[count].busy = busy_of(thread);
		stages[count++].size = thread->calls ? thread->flops / (double)thread->calls : 0;
	}
	qsort(stages, count, sizeof *stages, compare_size);
	scaling->nstages = count;
	for (size_t i = 0; i < count; i++) {
		scaling->stages[i] = stages[i].busy;
		if (i && !(stages[i].size > STAGE_SIZES_DIFFER * stages[i - 1].size))
			scaling->nstages = 0;
	}
	free(stages);
	qsort(scaling->stages, scaling->nstages, sizeof *scaling->stages, compare_longest_first);
}

/* Calls per flop at this thread count. */
static double calls_per_flop(const struct run *runs, const struct report *report, int threads)
{
	double calls = 0, flops = 0;

	for (size_t i = 0; i < report->nruns; i++) {
		if (!report->runs[i].used || report->runs[i].threads != threads)
			continue;
		EACH_ROW(thread, runs[i].threads, runs[i].nthreads) {
			calls += (double)thread->calls;
			flops += thread->flops;
		}
	}
	return calls / flops;
}

/* 1 if threads split each call: then the same work takes N times as many calls. It takes as many
 * as on one thread if threads share out the calls. */
static int splits_calls(const struct run *runs, const struct report *report, int threads)
{
	return calls_per_flop(runs, report, threads) >
	       sqrt(threads) * calls_per_flop(runs, report, 1);
}

static const struct report_row *telling_row(const struct report *report)
{
	const struct report_row *telling = NULL;

	EACH_ROW(row, report->rows, report->nrows)
		if (row->threads > 1 && row->threads <= row->cpus_available)
			telling = row;
	return telling ? telling : &report->rows[report->nrows - 1];
}

/* Fewer threads in the other code, on average, are but what BLAS's own do besides. */
#define POOL_THREADS_MIN 1.1

/* The share p of the other code that Amdahl's law finds where Q of N threads run it on average:
 * Q = 1 / (1 - p + p / N), as the code takes N / Q of what it would with N. */
static double other_parallel(const struct report_row *row)
{
	const struct account *account = &row->account;
	double busy = 1 + account->pool_other_ns / account->caller_other_ns;

	if (account->parallel != PARALLEL_INNER || !(busy >= POOL_THREADS_MIN))
		return 0;
	return fmin((1 - 1 / busy) / (1 - 1.0 / row->threads), 1);
}

void meeting_find(const struct run *runs, struct report *report)
{
	struct scaling *scaling = &report->scaling;
	const struct report_row *row = telling_row(report);
	const struct run *newest = NULL;
	struct seen seen = {0};

	scaling->meeting = MEET_FREELY;
	if (scaling->parallel != PARALLEL_CALLERS) {
		scaling->meeting =
			scaling->parallel == PARALLEL_INNER ? MEET_ONE_CALLER : MEET_BOTH;
		scaling->other_parallel = other_parallel(row);
		return;
	}
	for (size_t i = 0; i < report->nruns && row->threads > 1; i++) {
		if (!report->runs[i].used || report->runs[i].threads != row->threads)
			continue;
		newest = &runs[i];
		count_meetings(newest, row->threads, &seen);
	}
	if (!newest)
		return;
	if (seen.meetings >= MEETINGS_MIN * (double)row->runs) {
		scaling->meeting = MEET_BARRIER;
		scaling->split_calls = splits_calls(runs, report, row->threads);
		scaling->calls_a_step = fmax(seen.calls / seen.meetings, 1);
		if (scaling->split_calls)
			scaling->calls_a_step /= row->threads;
	} else if (seen.blocked_ns > PIPELINE_BLOCKED_MIN * seen.alive_ns) {
		find_stages(newest, scaling);
		if (scaling->nstages > 1)
			scaling->meeting = MEET_PIPELINE;
	}
}
