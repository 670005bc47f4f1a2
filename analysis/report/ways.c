/* ways.c: the ways into matrix work that were seen, and the share of each. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/human.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "report/build.h"
#include "report/columns.h"

#define WAY_SAMPLES  "samples"
/* A smaller share of the samples does not matter. */
#define NAMELESS_MIN 0.05
/* With a smaller share, the functions may only call BLAS: these have such names too. */
#define SHOWN_MIN    0.01

/* Returns the row of the way at the thread count, a new one if there is none. */
static struct report_way *way_row(struct report *report, int threads, const char *way)
{
	struct report_way *row;

	EACH_AT(known, report, ways, threads)
		if (!strcmp(known->way, way))
			return known;
	row = memory_add(&report->ways, &report->nways, sizeof *row);
	row->threads = threads;
	row->way = way;
	return row;
}

/* Divides the samples in BLAS code between the kinds of calls by their time. */
static void add_calls(struct report *report, const struct report_row *at, double samples)
{
	size_t first = report->nways;
	double all_ns = 0;

	EACH_AT(shape, report, shapes, at->threads) {
		const struct run_shape *sum = &shape->sum;
		struct report_way *row = way_row(report, at->threads, sum->shape.way);

		row->calls += (double)sum->calls;
		row->total_ns += (double)sum->total_ns;
		all_ns += (double)sum->total_ns;
	}
	for (size_t i = first; i < report->nways; i++)
		report->ways[i].share =
			all_ns > 0 ? samples * report->ways[i].total_ns / all_ns : 0;
}

static void add_samples(struct report *report, const struct report_function *function)
{
	struct report_way *row = way_row(report, function->threads, WAY_SAMPLES);

	if (!row->hottest) {
		const char *name = outer_function(function);
		/* drop the arguments of a template from a long name */
		int length = strlen(name) > 60 ? (int)strcspn(name, "<") : 90;

		row->hottest = string_printf("%.*s in %.30s", length > 90 ? 90 : length, name,
					     object_name(function->sum.location.object));
	}
	row->total_ns = NAN;
	row->share += (double)function->sum.samples;
}

void build_ways(struct report *report)
{
	EACH_ROW(at, report->rows, report->nrows) {
		double blas = 0, others = 0, all = 0;
		size_t first = report->nways;

		EACH_AT(function, report, functions, at->threads) {
			double samples = (double)function->sum.samples;

			blas += function_is_blas(function) ? samples : 0;
			others += function_is_matrix(function) ? samples : 0;
		}
		add_calls(report, at, fmax(blas, 1)); /* or there are no samples at all */
		EACH_AT(function, report, functions, at->threads)
			if (others >= SHOWN_MIN * blas && function_is_matrix(function))
				add_samples(report, function);
		for (size_t j = first; j < report->nways; j++)
			all += report->ways[j].share;
		for (size_t j = first; j < report->nways; j++)
			report->ways[j].share /= all;
	}
	table_sort(&report_tables[REPORT_WAYS], report, "threads -share way");
}

const struct report_way *report_way_samples(const struct report *report, int threads)
{
	EACH_AT(way, report, ways, threads)
		if (!strcmp(way->way, WAY_SAMPLES))
			return way;
	return NULL;
}

const char *report_ways_text(const struct report *report, int threads)
{
	char text[512] = "";

	EACH_AT(row, report, ways, threads) {
		int by_samples = !strcmp(row->way, WAY_SAMPLES);

		if (row->share >= REPORT_WAY_MIN)
			SAY(text, "%s%s%s %.0f %%%s%s%s", *text ? ", " : "",
			    by_samples ? "by " : "", row->way, 100 * row->share,
			    by_samples ? " (" : "", by_samples ? row->hottest : "",
			    by_samples ? ")" : "");
	}
	return string_pooled(text);
}

static int object_has_matrix(const struct report *report, const struct report_function *nameless)
{
	EACH_AT(function, report, functions, nameless->threads)
		if (function_is_matrix(function) &&
		    !strcmp(function->sum.location.object, nameless->sum.location.object))
			return 1;
	return 0;
}

const struct report_function *report_nameless(const struct report *report, int threads,
					      double *share)
{
	const struct report_function *most = NULL;

	*share = 0;
	EACH_AT(function, report, functions, threads) {
		if (function->sum.code != RUN_CODE_OTHER ||
		    strcmp(function->category, CATEGORY_NAMELESS) ||
		    object_has_matrix(report, function))
			continue;
		most = most ? most : function;
		*share += function->share;
	}
	return *share >= NAMELESS_MIN ? most : NULL;
}
