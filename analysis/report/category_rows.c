/* category_rows.c: adds up the samples of other code by category. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "util/array.h"

static struct report_category *find_category(struct report *report, int threads, const char *name)
{
	struct report_category *row;

	for (size_t i = 0; i < report->ncategories; i++)
		if (report->categories[i].threads == threads &&
		    !strcmp(report->categories[i].category, name))
			return &report->categories[i];
	row = array_add(&report->categories, &report->ncategories, sizeof *row);
	if (row) {
		row->threads = threads;
		snprintf(row->category, sizeof row->category, "%s", name);
	}
	return row;
}

static int compare_categories(const void *left, const void *right)
{
	const struct report_category *a = left, *b = right;

	if (a->threads != b->threads)
		return order_numbers(a->threads, b->threads);
	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return strcmp(a->category, b->category);
}

static void set_shares(struct report *report, int threads)
{
	double all = 0, other = 0;

	for (size_t i = 0; i < report->nfunctions; i++) {
		const struct report_function *function = &report->functions[i];

		if (function->threads != threads)
			continue;
		all += function->samples;
		other += function_is_blas(function) ? 0 : function->samples;
	}
	for (size_t i = 0; i < report->ncategories; i++) {
		struct report_category *row = &report->categories[i];

		if (row->threads != threads)
			continue;
		row->share = all > 0 ? row->samples / all : NAN;
		row->share_other = other > 0 ? row->samples / other : NAN;
	}
}

/* Functions come with most samples first, so the first of a category is its hottest. */
int build_categories(struct report *report)
{
	for (size_t i = 0; i < report->nfunctions; i++) {
		const struct report_function *function = &report->functions[i];
		struct report_category *row;

		if (function_is_blas(function))
			continue;
		row = find_category(report, function->threads, function->category);
		if (!row)
			return -1;
		row->samples += function->samples;
		if (!*row->hottest)
			snprintf(row->hottest, sizeof row->hottest, "%.90s (%.30s)",
				 function->function, object_name(function->object));
	}
	if (report->ncategories)
		qsort(report->categories, report->ncategories, sizeof *report->categories,
		      compare_categories);
	for (size_t i = 0; i < report->nrows; i++)
		set_shares(report, report->rows[i].threads);
	return 0;
}
