/* functions.c: merges the samples by function of many runs into one row for each thread count. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "base/array.h"

/* Rows made before there were such columns have none. */
static const char *text(const char *known)
{
	return known ? known : "";
}

static int compare_function_items(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	const struct run_function *x = a->row, *y = b->row;
	int result = order_numbers(a->threads, b->threads);

	result = result ? result : strcmp(x->location.function, y->location.function);
	result = result ? result : strcmp(x->location.object, y->location.object);
	result = result ? result
			: strcmp(text(x->location.inlined_into), text(y->location.inlined_into));
	return result ? result : order_numbers(x->code, y->code);
}

/* The row's names, and the line of the item with most samples. */
static int describe_function(const struct report *report, const struct run_function *function,
			     struct report_function *row)
{
	row->function = strdup(function->location.function);
	row->object = strdup(function->location.object);
	row->inlined_into = strdup(text(function->location.inlined_into));
	row->file = strdup(text(function->location.file));
	row->line = function->location.line;
	if (!row->function || !row->object || !row->inlined_into || !row->file)
		return -1;
	snprintf(row->category, sizeof row->category, "%s",
		 category_find(report->options.categories, row->object, function->code,
			       row->function, row->inlined_into));
	return 0;
}

/* Sums the items from `first` on that are one function; returns how many, 0 when memory is out. */
static size_t merge_function(const struct report *report, const struct items *all, size_t first,
			     struct report_function *row)
{
	const struct run_function *function = all->items[first].row;
	size_t i = first;

	row->threads = all->items[first].threads;
	row->code = run_code_names[(unsigned int)function->code < RUN_CODE_COUNT ? function->code
										 : RUN_CODE_OTHER];
	while (i < all->count && !compare_function_items(&all->items[first], &all->items[i])) {
		const struct run_function *next = all->items[i++].row;

		row->samples += (double)next->samples;
		row->samples_workers += (double)next->samples_workers;
		if (next->samples > function->samples)
			function = next;
	}
	return describe_function(report, function, row) ? 0 : i - first;
}

static int compare_functions(const void *left, const void *right)
{
	const struct report_function *a = left, *b = right;

	if (a->threads != b->threads)
		return order_numbers(a->threads, b->threads);
	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return strcmp(a->function, b->function);
}

static double function_sum(const struct report *report, int threads)
{
	double sum = 0;

	for (size_t i = 0; i < report->nfunctions; i++)
		if (report->functions[i].threads == threads)
			sum += report->functions[i].samples;
	return sum;
}

int build_functions(const struct run *runs, struct report *report)
{
	struct items all = {0};
	int result = gather_items(runs, report, RUN_PART_FUNCTIONS, compare_function_items, &all);

	for (size_t i = 0, merged; i < all.count && !result; i += merged) {
		struct report_function *row =
			array_add(&report->functions, &report->nfunctions, sizeof *row);

		merged = row ? merge_function(report, &all, i, row) : 0;
		result = merged ? 0 : -1;
	}
	free(all.items);
	if (report->nfunctions)
		qsort(report->functions, report->nfunctions, sizeof *report->functions,
		      compare_functions);
	for (size_t row = 0; row < report->nrows; row++) {
		double sum = function_sum(report, report->rows[row].threads);

		for (size_t i = 0; i < report->nfunctions; i++)
			if (report->functions[i].threads == report->rows[row].threads)
				report->functions[i].share =
					sum > 0 ? report->functions[i].samples / sum : NAN;
	}
	return result;
}

const char *outer_function(const struct report_function *function)
{
	return *function->inlined_into ? function->inlined_into : function->function;
}

int function_is_blas(const struct report_function *function)
{
	return !strcmp(function->category, CATEGORY_BLAS);
}

const char *object_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}
