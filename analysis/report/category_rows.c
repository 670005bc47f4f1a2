/* category_rows.c: adds up the samples of other code by category. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "base/array.h"

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

static int add_samples(struct report *report, const struct report_function *function,
		       const char *category, double samples)
{
	struct report_category *row;

	if (!(samples > 0))
		return 0;
	row = find_category(report, function->threads, category);
	if (!row)
		return -1;
	row->samples += samples;
	if (samples <= row->most)
		return 0;
	row->most = samples;
	snprintf(row->hottest, sizeof row->hottest, "%.90s (%.30s)", function->function,
		 object_name(function->object));
	return 0;
}

/* Outside BLAS code BLAS's own threads have nothing to do but to wait for work. */
int build_categories(struct report *report)
{
	for (size_t i = 0; i < report->nfunctions; i++) {
		const struct report_function *function = &report->functions[i];
		int in_blas = !strcmp(function->code, run_code_names[RUN_CODE_BLAS]);
		double workers = in_blas ? 0 : function->samples_workers;

		if (function_is_blas(function))
			continue;
		if (add_samples(report, function, function->category,
				function->samples - workers) ||
		    add_samples(report, function, CATEGORY_SPINNING, workers))
			return -1;
	}
	if (report->ncategories)
		qsort(report->categories, report->ncategories, sizeof *report->categories,
		      compare_categories);
	for (size_t i = 0; i < report->nrows; i++)
		set_shares(report, report->rows[i].threads);
	return 0;
}
