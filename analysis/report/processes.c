/* processes.c: how the program's regions and processes spent their time. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "report/build.h"
#include "report/sums.h"

void build_regions(struct report *report)
{
	const struct table *table = &report_tables[REPORT_REGIONS];

	sums_build(report, RUN_PART_REGIONS, NULL, table);
	EACH_ROW(row, report->regions, report->nregions) {
		const struct time_split *times = &row->sum.times;
		double blas_ns = (double)times->ns[CAT_BLAS];
		double work_ns = blas_ns + (double)times->ns[CAT_OTHER];

		row->share =
			share_of_callers(report, row->threads, (double)time_split_total(times));
		row->f = work_ns > 0 ? blas_ns / work_ns : NAN;
		row->gflops = blas_ns > 0 ? row->sum.flops / blas_ns : NAN;
	}
	table_sort(table, report, "threads -share");
}

/* Adds a thread's time to its process. A store may hold any number, so negative times become 0. */
static void add_thread(const struct run_thread *thread, struct report_process *row)
{
	struct time_split times = thread->times;
	double all_ns;

	for (int i = 0; i < CAT_COUNT; i++)
		times.ns[i] = times.ns[i] > 0 ? times.ns[i] : 0;
	times.blas_waiting_ns = times.blas_waiting_ns > 0 ? times.blas_waiting_ns : 0;
	all_ns = (double)time_split_total(&times);
	time_split_add(&row->times, &times);
	row->all_threads++;
	row->thread_ns += all_ns;
	if (thread->calls > 0) {
		row->callers++;
		row->caller_ns += all_ns;
		row->caller_waiting_ns += (double)times.ns[CAT_WAITING];
	}
	row->calls += (double)thread->calls;
	row->flops += isfinite(thread->flops) ? thread->flops : 0;
	row->samples += (double)thread->samples_blas + (double)thread->samples_other +
			(double)thread->samples_kernel + (double)thread->samples_spin;
}

static double computing_ns(const struct report_process *row)
{
	return (double)row->times.ns[CAT_BLAS] + (double)row->times.ns[CAT_OTHER];
}

/* By rank; within a rank, and without ranks, by computing time, the longest first. */
COMPARE(compare_processes, struct report_process,
	ORDER(a->process.rank, b->process.rank) ?: ORDER(computing_ns(b), computing_ns(a)) ?:
	ORDER(a->process.pid, b->process.pid))

/* Computing time of the busiest rank / mean of all ranks - 1; NAN without several ranks. */
static double imbalance(const struct report *report)
{
	double most = 0, sum = 0, current = 0;
	int ranks = 0;

	EACH_ROW(row, report->processes, report->nprocesses) {
		if (row->process.rank < 0)
			continue;
		if (row == report->processes || row[-1].process.rank != row->process.rank) {
			current = 0;
			ranks++;
		}
		current += computing_ns(row);
		sum += computing_ns(row);
		most = fmax(most, current);
	}
	return ranks > 1 && sum > 0 ? most * ranks / sum - 1 : NAN;
}

void build_processes(struct report *report)
{
	const struct run *run = report->runs[report->threads_run].run;

	report->imbalance = NAN;
	if (!report->nthreads)
		return;
	for (size_t i = 0; i < run->nprocesses; i++) {
		struct report_process *row =
			memory_add(&report->processes, &report->nprocesses, sizeof *row);

		row->process = run->processes[i];
		row->alive_ns =
			fmax((double)row->process.end_ns - (double)row->process.start_ns, 0);
	}
	EACH_ROW(thread, run->threads, run->nthreads) {
		int process = thread->process;

		if (process >= 0 && (size_t)process < report->nprocesses)
			add_thread(thread, &report->processes[process]);
	}
	EACH_ROW(row, report->processes, report->nprocesses)
		row->waiting_share =
			row->caller_ns > 0 ? row->caller_waiting_ns / row->caller_ns : NAN;
	SORT(report->processes, report->nprocesses, compare_processes);
	report->imbalance = imbalance(report);
}
