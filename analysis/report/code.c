/* code.c: where the samples are: functions, and kinds of other code. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/compute_unit.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "report/build.h"
#include "report/sums.h"

const char *outer_function(const struct report_function *function)
{
	const struct code_location *location = &function->sum.location;

	return *location->inlined_into ? location->inlined_into : location->function;
}

int function_is_blas(const struct report_function *function)
{
	return !strcmp(function->category, CATEGORY_BLAS);
}

int function_is_matrix(const struct report_function *function)
{
	return function->sum.code == RUN_CODE_OTHER && !strcmp(function->category, CATEGORY_MATRIX);
}

int function_is_standard(const char *function)
{
	static const char *const names[] = {
		"std::",    "__gnu_cxx::", "__gthread_", "__glibcxx_", "__invoke", "core::",
		"alloc::",  "f32>::",	   "f64>::",	 "Eigen::",    "boost::",  "thrust::",
		"Kokkos::", "arma::",	   "runtime.",	 "__pstl::",   "tbb::"};

	function += *function == '<';
	EACH_ROW(name, names, COUNT(names))
		if (!strncmp(function, *name, strlen(*name)))
			return 1;
	return 0;
}

int report_runs_openmp(const struct report *report, int threads)
{
	EACH_AT(function, report, functions, threads)
		if (object_runs_openmp(function->sum.location.object))
			return 1;
	return 0;
}

void build_functions(struct report *report)
{
	const struct table *table = &report_tables[REPORT_FUNCTIONS];

	sums_build(report, RUN_PART_FUNCTIONS, "function object inlined_into code", table);
	table_sort(table, report, "threads -samples function");
	sums_share(table, report, "samples", offsetof(struct report_function, share));
	EACH_ROW(row, report->functions, report->nfunctions) {
		const struct code_location *location = &row->sum.location;

		snprintf(row->category, sizeof row->category, "%s",
			 category_find(report->options.categories, location->object, row->sum.code,
				       location->function, location->inlined_into));
		row->unit = function_is_blas(row) || function_is_matrix(row)
				    ? compute_unit_name(compute_unit_of(outer_function(row)))
				    : "";
	}
}

static void add_samples(struct report *report, const struct report_function *function,
			const char *category, double samples)
{
	struct report_category *row;

	if (!(samples > 0))
		return;
	row = memory_add(&report->categories, &report->ncategories, sizeof *row);
	row->threads = function->threads;
	snprintf(row->category, sizeof row->category, "%s", category);
	row->samples = samples;
	row->hottest = string_printf("%.90s (%.30s)", function->sum.location.function,
				     object_name(function->sum.location.object));
}

/* In the kernel, BLAS's own threads do nothing but wait for work, so that counts as spinning. */
void build_categories(struct report *report)
{
	const struct table *table = &report_tables[REPORT_CATEGORIES];

	EACH_ROW(function, report->functions, report->nfunctions) {
		int is_waiting = function->sum.code == RUN_CODE_KERNEL ||
				 function->sum.code == RUN_CODE_SPIN;
		double workers = is_waiting ? (double)function->sum.samples_workers : 0;

		if (function_is_blas(function))
			continue;
		add_samples(report, function, function->category,
			    (double)function->sum.samples - workers);
		add_samples(report, function, CATEGORY_SPINNING, workers);
	}
	table_merge_rows(table, report);
	table_sort(table, report, "threads -samples category");
	EACH_ROW(row, report->categories, report->ncategories) {
		double all = 0, other = 0;

		EACH_AT(function, report, functions, row->threads) {
			double samples = (double)function->sum.samples;

			all += samples;
			other += function_is_blas(function) ? 0 : samples;
		}
		row->share = all > 0 ? row->samples / all : NAN;
		row->share_other = other > 0 ? row->samples / other : NAN;
	}
}
