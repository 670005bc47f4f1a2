/* mpi.c: merges the MPI calls of many runs into one row for each thread count and routine. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "base/array.h"

static int compare_items(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	const struct run_mpi *x = a->row, *y = b->row;
	int result = order_numbers(a->threads, b->threads);

	return result ? result : strcmp(x->routine, y->routine);
}

/* Sums the items from `first` on that are one routine; returns how many. */
static size_t merge_routine(const struct report *report, const struct items *all, size_t first,
			    struct report_mpi *row)
{
	const struct run_mpi *routine = all->items[first].row;
	const struct report_row *point;
	size_t i = first;

	row->threads = all->items[first].threads;
	memcpy(row->routine, routine->routine, sizeof row->routine);
	for (; i < all->count && !compare_items(&all->items[first], &all->items[i]); i++) {
		const struct run_mpi *item = all->items[i].row;

		row->calls += (double)item->calls;
		row->total_ns += fmax((double)item->total_ns, 0);
		row->max_ns = fmax(row->max_ns, (double)item->max_ns);
	}
	point = report_find_row(report, row->threads);
	row->share = point && point->callers_ns > 0 ? row->total_ns / point->callers_ns : NAN;
	return i - first;
}

static int compare_routines(const void *left, const void *right)
{
	const struct report_mpi *a = left, *b = right;

	if (a->threads != b->threads)
		return order_numbers(a->threads, b->threads);
	return (a->total_ns < b->total_ns) - (a->total_ns > b->total_ns);
}

int build_mpi(const struct run *runs, struct report *report)
{
	struct items all = {0};
	int result = gather_items(runs, report, RUN_PART_MPI, compare_items, &all);

	for (size_t i = 0; i < all.count && !result;) {
		struct report_mpi *row = array_add(&report->mpi, &report->nmpi, sizeof *row);

		if (row)
			i += merge_routine(report, &all, i, row);
		else
			result = -1;
	}
	free(all.items);
	if (report->nmpi)
		qsort(report->mpi, report->nmpi, sizeof *report->mpi, compare_routines);
	return result;
}
