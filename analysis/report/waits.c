/* waits.c: merges the waits of many runs into one row for each thread count, place of waiting and
 * region.
 */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "base/array.h"

/* A wait of a run in use. */
struct found {
	size_t run;
	int threads, is_caller;
	const struct run_wait *wait;
};
struct founds {
	struct found *rows;
	size_t count;
};

static int compare_strings(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* By what makes a row of the report. */
static int compare_places(const struct found *a, const struct found *b)
{
	int result = order_numbers(a->threads, b->threads);

	result = result ? result : order_numbers(b->is_caller, a->is_caller);
	result = result ? result : order_numbers(a->wait->in_blas, b->wait->in_blas);
	result = result ? result : strncmp(a->wait->kind, b->wait->kind, sizeof a->wait->kind);
	result = result ? result : compare_strings(a->wait->function, b->wait->function);
	result = result ? result : compare_strings(a->wait->caller, b->wait->caller);
	return result ? result : strncmp(a->wait->region, b->wait->region, sizeof a->wait->region);
}

static int compare_threads(const struct found *a, const struct found *b)
{
	int result = order_numbers((int64_t)a->run, (int64_t)b->run);

	result = result ? result : order_numbers(a->wait->pid, b->wait->pid);
	return result ? result : order_numbers(a->wait->tid, b->wait->tid);
}

static int compare_founds(const void *left, const void *right)
{
	int result = compare_places(left, right);

	return result ? result : compare_threads(left, right);
}

/* A thread of a run by its numbers; a number that was used again has several, in the order of the
 * run. */
static int compare_numbers(const struct run_thread *a, const struct run_thread *b)
{
	int result = order_numbers(a->pid, b->pid);

	return result ? result : order_numbers(a->tid, b->tid);
}

static int compare_run_threads(const void *left, const void *right)
{
	const struct run_thread *a = *(const struct run_thread *const *)left;
	const struct run_thread *b = *(const struct run_thread *const *)right;
	int result = compare_numbers(a, b);

	return result ? result : (a > b) - (a < b);
}

/* The run's threads by their numbers, of which there may be a hundred thousand. The caller frees
 * it; NULL when memory is out. */
static const struct run_thread **sort_threads(const struct run *run)
{
	const struct run_thread **sorted = calloc(run->nthreads + 1, sizeof(struct run_thread *));

	for (size_t i = 0; sorted && i < run->nthreads; i++)
		sorted[i] = &run->threads[i];
	if (sorted && run->nthreads)
		qsort(sorted, run->nthreads, sizeof *sorted, compare_run_threads);
	return sorted;
}

static int makes_calls(const struct run_thread *const *sorted, size_t count,
		       const struct run_wait *wait)
{
	const struct run_thread key = {.pid = wait->pid, .tid = wait->tid};
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_numbers(sorted[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && !compare_numbers(sorted[low], &key) && sorted[low]->calls > 0;
}

static int find_run_waits(const struct run *runs, const struct report *report, size_t run,
			  struct founds *all)
{
	const struct run_thread **sorted = sort_threads(&runs[run]);
	int failed = !sorted;

	for (size_t i = 0; i < runs[run].nwaits && !failed; i++) {
		struct found *row = array_add(&all->rows, &all->count, sizeof *row);

		failed = !row;
		if (failed)
			break;
		row->run = run;
		row->threads = report->runs[run].threads;
		row->wait = &runs[run].waits[i];
		row->is_caller = makes_calls(sorted, runs[run].nthreads, row->wait);
	}
	free(sorted);
	return failed ? -1 : 0;
}

static int find_waits(const struct run *runs, const struct report *report, struct founds *all)
{
	for (size_t run = 0; run < report->nruns; run++)
		if (report->runs[run].used && find_run_waits(runs, report, run, all))
			return -1;
	if (all->count)
		qsort(all->rows, all->count, sizeof *all->rows, compare_founds);
	return 0;
}

/* Waiting at one place in one run, by thread. */
struct spread {
	double least_ns, most_ns;
	int threads;
};

static void add_thread(struct spread *spread, double thread_ns)
{
	spread->least_ns = spread->threads ? fmin(spread->least_ns, thread_ns) : thread_ns;
	spread->most_ns = fmax(spread->most_ns, thread_ns);
	spread->threads++;
}

static double time_or_zero(int64_t ns)
{
	return ns > 0 ? (double)ns : 0;
}

/* Sums the waits from `first` on that are of one place and one run; returns where they end. A
 * caller that did not wait there at all is the one that the others waited for. */
static size_t add_run(const struct founds *all, size_t first, struct report_wait *row)
{
	const struct found *found = &all->rows[first];
	struct spread spread = {0};
	size_t i = first;

	while (i < all->count && found->run == all->rows[i].run &&
	       !compare_places(found, &all->rows[i])) {
		double thread_ns = 0;
		size_t thread = i;

		for (; i < all->count && !compare_founds(&all->rows[thread], &all->rows[i]); i++) {
			const struct run_wait *wait = all->rows[i].wait;

			thread_ns += time_or_zero(wait->total_ns);
			row->waits += (double)wait->waits;
			row->longest_ns = fmax(row->longest_ns, time_or_zero(wait->longest_ns));
		}
		row->total_ns += thread_ns;
		add_thread(&spread, thread_ns);
	}
	if (spread.threads > row->waiting_threads)
		row->waiting_threads = spread.threads;
	row->uneven_ns +=
		spread.most_ns -
		(found->is_caller && spread.threads < found->threads ? 0 : spread.least_ns);
	return i;
}

/* Sums the waits from `first` on that are of one place; returns where they end, 0 when memory is
 * out. */
static size_t merge_wait(const struct report *report, const struct founds *all, size_t first,
			 struct report_wait *row)
{
	const struct found *found = &all->rows[first];
	const struct report_row *point = report_find_row(report, found->threads);
	size_t i = first;

	row->threads = found->threads;
	row->is_caller = found->is_caller;
	row->role = found->is_caller ? "caller" : "other";
	row->in_blas = found->wait->in_blas != 0;
	snprintf(row->kind, sizeof row->kind, "%.15s", found->wait->kind);
	row->function = strdup(found->wait->function ? found->wait->function : "");
	row->caller = strdup(found->wait->caller ? found->wait->caller : "");
	snprintf(row->region, sizeof row->region, "%.31s", found->wait->region);
	while (i < all->count && !compare_places(found, &all->rows[i]))
		i = add_run(all, i, row);
	row->share = found->is_caller && point && point->callers_ns > 0
			     ? row->total_ns / point->callers_ns
			     : NAN;
	return row->function && row->caller ? i : 0;
}

static int compare_waits(const void *left, const void *right)
{
	const struct report_wait *a = left, *b = right;

	if (a->threads != b->threads)
		return order_numbers(a->threads, b->threads);
	if (a->is_caller != b->is_caller)
		return b->is_caller - a->is_caller;
	return (a->total_ns < b->total_ns) - (a->total_ns > b->total_ns);
}

int build_waits(const struct run *runs, struct report *report)
{
	struct founds all = {0};
	int result = find_waits(runs, report, &all);

	for (size_t i = 0; i < all.count && !result;) {
		struct report_wait *row = array_add(&report->waits, &report->nwaits, sizeof *row);

		i = row ? merge_wait(report, &all, i, row) : 0;
		result = i ? 0 : -1;
	}
	free(all.rows);
	if (report->nwaits)
		qsort(report->waits, report->nwaits, sizeof *report->waits, compare_waits);
	return result;
}
