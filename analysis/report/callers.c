/* callers.c: merges who called BLAS in many runs into one row for each thread count. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "base/array.h"

static int compare_functions(const struct run_caller *x, const struct run_caller *y)
{
	int result = strcmp(x->location.function, y->location.function);

	result = result ? result : strcmp(x->location.inlined_into, y->location.inlined_into);
	result = result ? result : strcmp(x->location.object, y->location.object);
	return result ? result : strcmp(x->shape.routine, y->shape.routine);
}

static int compare_items(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	int result = order_numbers(a->threads, b->threads);

	return result ? result : compare_functions(a->row, b->row);
}

/* Sums the items from `first` on that are one function's calls of one routine, at the line that
 * takes most of the time; returns how many, 0 when memory is out. */
static size_t merge_caller(const struct items *all, size_t first, struct report_caller *row)
{
	const struct run_caller *caller = all->items[first].row, *most = caller;
	size_t i = first;

	for (; i < all->count && !compare_items(&all->items[first], &all->items[i]); i++) {
		caller = all->items[i].row;
		row->calls += (double)caller->calls;
		row->total_ns += (double)caller->total_ns;
		if (caller->total_ns > most->total_ns)
			most = caller;
	}
	row->threads = all->items[first].threads;
	row->line = most->location.line;
	memcpy(row->routine, most->shape.routine, sizeof row->routine);
	row->function = strdup(most->location.function);
	row->inlined_into = strdup(most->location.inlined_into);
	row->object = strdup(most->location.object);
	row->file = strdup(most->location.file);
	return row->function && row->inlined_into && row->object && row->file ? i - first : 0;
}

static int compare_callers(const void *left, const void *right)
{
	const struct report_caller *a = left, *b = right;

	if (a->threads != b->threads)
		return order_numbers(a->threads, b->threads);
	if (a->total_ns != b->total_ns)
		return a->total_ns < b->total_ns ? 1 : -1;
	return strcmp(a->function, b->function);
}

/* Frame pointers seldom lead out of a BLAS kernel, so samples there know no caller: each caller is
 * given its part of them, by time. */
static void share_out(struct report *report, const struct report_row *point)
{
	double sum_ns = 0;

	for (size_t i = 0; i < report->ncallers; i++)
		if (report->callers[i].threads == point->threads)
			sum_ns += report->callers[i].total_ns;
	for (size_t i = 0; i < report->ncallers; i++) {
		struct report_caller *caller = &report->callers[i];

		if (caller->threads != point->threads)
			continue;
		caller->share = sum_ns > 0 ? caller->total_ns / sum_ns : NAN;
		caller->samples = caller->share * point->account.samples_blas;
	}
}

int build_callers(const struct run *runs, struct report *report)
{
	struct items all = {0};
	int result = gather_items(runs, report, RUN_PART_CALLERS, compare_items, &all);

	for (size_t i = 0, merged; i < all.count && !result; i += merged) {
		struct report_caller *row =
			array_add(&report->callers, &report->ncallers, sizeof *row);

		merged = row ? merge_caller(&all, i, row) : 0;
		result = merged ? 0 : -1;
	}
	free(all.items);
	if (report->ncallers)
		qsort(report->callers, report->ncallers, sizeof *report->callers, compare_callers);
	for (size_t i = 0; i < report->nrows; i++)
		share_out(report, &report->rows[i]);
	return result;
}
