/* processes.c: sums up the newest run's threads by process. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "base/array.h"

static double time_or_zero(int64_t ns)
{
	return ns > 0 ? (double)ns : 0;
}

static void add_thread(const struct run_thread *thread, struct report_process *row)
{
	double all_ns = time_or_zero(thread->times.ns[CAT_BLAS]) +
			time_or_zero(thread->times.ns[CAT_OTHER]) +
			time_or_zero(thread->times.ns[CAT_MPI]) +
			time_or_zero(thread->times.ns[CAT_WAITING]) +
			time_or_zero(thread->times.ns[CAT_NO_CPU]);

	row->threads++;
	row->thread_ns += all_ns;
	if (thread->calls > 0) {
		row->callers++;
		row->caller_ns += all_ns;
		row->caller_waiting_ns += time_or_zero(thread->times.ns[CAT_WAITING]);
	}
	row->blas_ns += time_or_zero(thread->times.ns[CAT_BLAS]);
	row->blas_waiting_ns += time_or_zero(thread->times.blas_waiting_ns);
	row->other_ns += time_or_zero(thread->times.ns[CAT_OTHER]);
	row->mpi_ns += time_or_zero(thread->times.ns[CAT_MPI]);
	row->waiting_ns += time_or_zero(thread->times.ns[CAT_WAITING]);
	row->preempted_ns += time_or_zero(thread->times.ns[CAT_NO_CPU]);
	row->calls += (double)thread->calls;
	row->flops += isfinite(thread->flops) ? thread->flops : 0;
	row->samples += (double)thread->samples_blas + (double)thread->samples_other +
			(double)thread->samples_kernel;
}

static int add_rows(const struct run *run, struct report *report)
{
	for (size_t i = 0; i < run->nprocesses; i++) {
		const struct run_process *process = &run->processes[i];
		struct report_process *row =
			array_add(&report->processes, &report->nprocesses, sizeof *row);

		if (!row)
			return -1;
		row->pid = process->pid;
		row->parent = process->parent;
		row->rank = process->rank;
		row->intercepted = process->intercepted;
		memcpy(row->command, process->command, sizeof row->command);
		memcpy(row->host, process->host, sizeof row->host);
		row->alive_ns = fmax((double)process->end_ns - (double)process->start_ns, 0);
	}
	return 0;
}

/* Ranks in order; in each, and where there are none, what computed most comes first. */
static int compare_processes(const void *left, const void *right)
{
	const struct report_process *a = left, *b = right;
	double x = a->blas_ns + a->other_ns, y = b->blas_ns + b->other_ns;

	if (a->rank != b->rank)
		return order_numbers(a->rank, b->rank);
	return x != y ? (x < y) - (x > y) : order_numbers(a->pid, b->pid);
}

/* The busiest rank's computing over the mean of all ranks'; NAN where there are none. */
static double imbalance(const struct report *report)
{
	double most = 0, sum = 0, current = 0;
	int ranks = 0;

	for (size_t i = 0; i < report->nprocesses; i++) {
		const struct report_process *row = &report->processes[i];

		if (row->rank < 0)
			continue;
		if (!i || row[-1].rank != row->rank) {
			current = 0;
			ranks++;
		}
		current += row->blas_ns + row->other_ns;
		sum += row->blas_ns + row->other_ns;
		most = fmax(most, current);
	}
	return ranks > 1 && sum > 0 ? most * ranks / sum - 1 : NAN;
}

int build_processes(const struct run *runs, struct report *report)
{
	const struct run *run = &runs[report->threads_run];

	report->imbalance = NAN;
	if (!report->nthreads)
		return 0;
	if (add_rows(run, report))
		return -1;
	for (size_t i = 0; i < run->nthreads; i++) {
		int process = run->threads[i].process;

		if (process >= 0 && (size_t)process < report->nprocesses)
			add_thread(&run->threads[i], &report->processes[process]);
	}
	for (size_t i = 0; i < report->nprocesses; i++) {
		struct report_process *row = &report->processes[i];

		row->waiting_share =
			row->caller_ns > 0 ? row->caller_waiting_ns / row->caller_ns : NAN;
	}
	if (report->nprocesses)
		qsort(report->processes, report->nprocesses, sizeof *report->processes,
		      compare_processes);
	report->imbalance = imbalance(report);
	return 0;
}
