/* regions.c: merges the marked regions of many runs into one row for each thread count. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "base/array.h"

static int compare_items(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	const struct run_region *x = a->row, *y = b->row;
	int result = order_numbers(a->threads, b->threads);

	return result ? result : strcmp(x->name, y->name);
}

static double time_or_zero(int64_t ns)
{
	return ns > 0 ? (double)ns : 0;
}

static void add_region(const struct run_region *from, struct report_region *row)
{
	row->entries += (double)from->entries;
	row->blas_ns += time_or_zero(from->times.ns[CAT_BLAS]);
	row->blas_waiting_ns += time_or_zero(from->times.blas_waiting_ns);
	row->other_ns += time_or_zero(from->times.ns[CAT_OTHER]);
	row->mpi_ns += time_or_zero(from->times.ns[CAT_MPI]);
	row->waiting_ns += time_or_zero(from->times.ns[CAT_WAITING]);
	row->preempted_ns += time_or_zero(from->times.ns[CAT_NO_CPU]);
	row->calls += (double)from->calls;
	row->flops += isfinite(from->flops) ? from->flops : 0;
}

static double region_ns(const struct report_region *row)
{
	return row->blas_ns + row->other_ns + row->mpi_ns + row->waiting_ns + row->preempted_ns;
}

/* Sums the items from `first` on that are one region; returns how many. */
static size_t merge_region(const struct report *report, const struct items *all, size_t first,
			   struct report_region *row)
{
	const struct run_region *region = all->items[first].row;
	const struct report_row *point;
	double work_ns;
	size_t i = first;

	row->threads = all->items[first].threads;
	memcpy(row->region, region->name, sizeof row->region);
	while (i < all->count && !compare_items(&all->items[first], &all->items[i]))
		add_region(all->items[i++].row, row);
	point = report_find_row(report, row->threads);
	work_ns = row->blas_ns + row->other_ns;
	row->share = point && point->callers_ns > 0 ? region_ns(row) / point->callers_ns : NAN;
	row->f = work_ns > 0 ? row->blas_ns / work_ns : NAN;
	row->gflops = row->blas_ns > 0 ? row->flops / row->blas_ns : NAN;
	return i - first;
}

static int compare_regions(const void *left, const void *right)
{
	const struct report_region *a = left, *b = right;

	if (a->threads != b->threads)
		return order_numbers(a->threads, b->threads);
	return (region_ns(a) < region_ns(b)) - (region_ns(a) > region_ns(b));
}

int build_regions(const struct run *runs, struct report *report)
{
	struct items all = {0};
	int result = gather_items(runs, report, RUN_PART_REGIONS, compare_items, &all);

	for (size_t i = 0; i < all.count && !result;) {
		struct report_region *row =
			array_add(&report->regions, &report->nregions, sizeof *row);

		if (row)
			i += merge_region(report, &all, i, row);
		else
			result = -1;
	}
	free(all.items);
	if (report->nregions)
		qsort(report->regions, report->nregions, sizeof *report->regions, compare_regions);
	return result;
}
