/* waits.c: what threads waited on, one row for each thread count, place of waiting and region. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "report/build.h"
#include "report/sums.h"

/* Orders threads by their process and thread numbers. A number that was used again has several
 * threads; sort_threads() keeps these in the order of the run. */
static int compare_numbers(const struct run_thread *a, const struct run_thread *b)
{
	return ORDER(a->pid, b->pid) ?: ORDER(a->tid, b->tid);
}

COMPARE(compare_run_threads, struct run_thread *const, compare_numbers(*a, *b) ?: ORDER(*a, *b))

/* Returns the run's threads, perhaps a hundred thousand, sorted by their numbers. The caller frees
 * the array. */
static const struct run_thread **sort_threads(const struct run *run)
{
	const struct run_thread **sorted = memory_rows(run->nthreads, sizeof *sorted);

	for (size_t i = 0; i < run->nthreads; i++)
		sorted[i] = &run->threads[i];
	if (run->nthreads)
		qsort(sorted, run->nthreads, sizeof *sorted, compare_run_threads);
	return sorted;
}

/* 1 if the thread that waits is one of the participants. Threads beyond the N are not, since their
 * waiting costs nothing. In a run without an account, threads that make calls take part. */
static int takes_part(const struct run *run, const struct report_run *row,
		      const struct run_thread *const *sorted, const struct run_wait *wait)
{
	const struct run_thread key = {.pid = wait->pid, .tid = wait->tid};
	size_t at = ARRAY_BOUND(run->nthreads, i, compare_numbers(sorted[i], &key) < 0);

	for (int i = 0; i < row->spread.extras; i++)
		if (row->spread.extra[i].pid == wait->pid && row->spread.extra[i].tid == wait->tid)
			return 0;
	for (; at < run->nthreads && !compare_numbers(sorted[at], &key); at++)
		if (row->roles ? row->roles[sorted[at] - run->threads] == ROLE_PARTICIPANT
			       : sorted[at]->calls > 0)
			return 1;
	return 0;
}

/* Groups waits of participants before those of others. */
static void find_roles(const struct run *runs, const struct report *report, struct sums *sums)
{
	const struct run_thread **sorted = NULL;

	for (size_t i = 0; i < sums->count; i++) {
		struct sum_item *item = &sums->items[i];

		if (!i || item->run != item[-1].run) {
			free(sorted);
			sorted = sort_threads(&runs[item->run]);
		}
		item->group =
			!takes_part(&runs[item->run], &report->runs[item->run], sorted, item->row);
	}
	free(sorted);
}

static int compare_by_thread(const void *left, const void *right)
{
	const struct sum_item *a = left, *b = right;
	const struct run_wait *x = a->row, *y = b->row;

	return ORDER(a->run, b->run) ?: ORDER(x->pid, y->pid) ?: ORDER(x->tid, y->tid);
}

/* Sets how many threads of a run waited at one place, and how unevenly: the longest waiting time of
 * a thread minus the shortest, summed over the runs. The shortest is 0 if a participant did not
 * wait there at all, since the others may have waited for it. */
static void spread(struct sum_item *items, size_t count, struct report_wait *row)
{
	qsort(items, count, sizeof *items, compare_by_thread);
	for (size_t i = 0; i < count;) {
		const struct sum_item *first = &items[i];
		double least_ns = INFINITY, most_ns = 0;
		int threads = 0;

		while (i < count && items[i].run == first->run) {
			const struct sum_item *thread = &items[i];
			double thread_ns = 0;

			for (; i < count && !compare_by_thread(thread, &items[i]); i++)
				thread_ns += fmax(
					(double)((const struct run_wait *)items[i].row)->total_ns,
					0);
			least_ns = fmin(least_ns, thread_ns);
			most_ns = fmax(most_ns, thread_ns);
			threads++;
		}
		if (threads > row->waiting_threads)
			row->waiting_threads = threads;
		row->uneven_ns +=
			most_ns - (row->is_caller && threads < row->threads ? 0 : least_ns);
	}
}

void build_waits(const struct run *runs, struct report *report)
{
	const struct table *table = &report_tables[REPORT_WAITS];
	struct sums sums = sums_find(runs, report, RUN_PART_WAITS, WAIT_KEYS);

	find_roles(runs, report, &sums);
	sums_sort(&sums);
	EACH_ROW(group, sums.groups, sums.ngroups) {
		struct report_wait *row = sums_add(&sums, group, table, report);

		row->is_caller = !sums.items[group->first].group;
		row->role = row->is_caller ? "caller" : "other";
		row->sum.in_blas = row->sum.in_blas != 0;
		row->sum.longest_ns = row->sum.longest_ns > 0 ? row->sum.longest_ns : 0;
		row->share = row->is_caller ? share_of_callers(report, row->threads,
							       (double)row->sum.total_ns)
					    : NAN;
		spread(&sums.items[group->first], group->end - group->first, row);
	}
	sums_free(&sums);
	table_sort(table, report, "threads role -total_ns");
}
