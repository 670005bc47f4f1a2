/* waits.c: what threads waited on, one row for each thread count, place of waiting and region. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/idmap.h"
#include "report/build.h"
#include "report/sums.h"

int wait_is_waiting(const struct report_wait *wait, const struct report_row *row)
{
	return wait->threads == row->threads && wait->is_caller && !wait->sum.in_blas &&
	       strcmp(wait->sum.kind, "run queue") != 0 &&
	       (strcmp(wait->sum.kind, "MPI") != 0 || !(row->account.category_ns[CAT_MPI] > 0));
}

/* Groups waits of participants before those of others. Threads beyond the N do not count as
 * participants, since their waiting costs nothing. */
static void find_roles(const struct report *report, struct sums *sums)
{
	struct idmap participants = {0}; /* by their numbers; 1 if they are */

	EACH_ROW(item, sums->items, sums->count) {
		const struct run_wait *wait = item->row;
		const struct report_run *row = &report->runs[item->run];
		const struct run *run = row->run;

		if (item == sums->items || item->run != item[-1].run) {
			idmap_free(&participants);
			EACH_ROW(thread, run->threads, run->nthreads)
				if (row->roles[thread - run->threads] == ROLE_PARTICIPANT)
					idmap_put(&participants,
						  run_thread_key(thread->pid, thread->tid), 1);
			for (int j = 0; j < row->spread.extras; j++)
				idmap_put(&participants,
					  run_thread_key(row->spread.extra[j].pid,
							 row->spread.extra[j].tid),
					  0);
		}
		item->group = idmap_find(&participants, run_thread_key(wait->pid, wait->tid)) != 1;
	}
	idmap_free(&participants);
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

void build_waits(struct report *report)
{
	const struct table *table = &report_tables[REPORT_WAITS];
	struct sums sums = sums_find(report, RUN_PART_WAITS, WAIT_KEYS);

	find_roles(report, &sums);
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
