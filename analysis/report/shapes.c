/* shapes.c: merges the shapes and functions of many runs into one row for each thread count. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "util/array.h"

/* A row of a run, with the thread count that it counts for. */
struct item {
	int threads;
	const void *row; /* struct run_shape or run_function */
};

struct items {
	struct item *items;
	size_t count;
};

/* Gathers the rows of one part of the runs in use, sorted so that what belongs together is
 * together. */
static int gather(const struct run *runs, const struct report *report, enum run_part part,
		  int (*compare)(const void *, const void *), struct items *all)
{
	for (size_t i = 0; i < report->nruns; i++) {
		if (!report->runs[i].used)
			continue;
		for (size_t j = 0; j < run_part_count(&runs[i], part); j++) {
			struct item *item = array_add(&all->items, &all->count, sizeof *item);

			if (!item)
				return -1;
			item->threads = report->runs[i].threads;
			item->row = run_part_row(&runs[i], part, j);
		}
	}
	if (all->count)
		qsort(all->items, all->count, sizeof *all->items, compare);
	return 0;
}

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* By thread count and what was called; regions are summed up. */
static int compare_shape_items(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	const struct run_shape *x = a->row, *y = b->row;
	const int64_t keys[][2] = {{a->threads, b->threads},
				   {x->transa, y->transa},
				   {x->transb, y->transb},
				   {x->m, y->m},
				   {x->n, y->n},
				   {x->k, y->k},
				   {x->other_shapes, y->other_shapes}};
	int result = 0;

	for (size_t i = 0; i < sizeof keys / sizeof keys[0] && !result; i++)
		result = order(keys[i][0], keys[i][1]);
	return result ? result : strcmp(x->routine, y->routine);
}

/* The duration that the share `q` of the calls does not exceed: within its bucket, calls are taken
 * to lie evenly on a logarithmic scale. NAN where the histogram is empty. */
static double histogram_quantile(const double *counts, double q, double min_ns, double max_ns)
{
	double sum = 0, below = 0, low, high, value;
	int bucket = 0;

	for (int i = 0; i < RUN_HISTOGRAM_BUCKETS; i++)
		sum += counts[i];
	if (!(sum > 0))
		return NAN;
	while (bucket < RUN_HISTOGRAM_BUCKETS - 1 && below + counts[bucket] < q * sum)
		below += counts[bucket++];
	low = fmax(run_bucket_low_ns(bucket), 1);
	high = run_bucket_low_ns(bucket + 1);
	value = low * pow(high / low, counts[bucket] > 0 ? (q * sum - below) / counts[bucket] : 0);
	return fmin(fmax(value, min_ns), max_ns);
}

static void name_shape(const struct item *item, struct report_shape *row)
{
	const struct run_shape *shape = item->row;

	row->threads = item->threads;
	memcpy(row->routine, shape->routine, sizeof row->routine);
	row->transa[0] = shape->transa == '-' ? '\0' : shape->transa;
	row->transb[0] = shape->transb == '-' ? '\0' : shape->transb;
	row->m = shape->other_shapes ? NAN : (double)shape->m;
	row->n = shape->other_shapes ? NAN : (double)shape->n;
	row->k = shape->other_shapes ? NAN : (double)shape->k;
	row->min_ns = INFINITY;
}

static void sum_shape(const struct run_shape *shape, struct report_shape *row, double *histogram)
{
	row->calls += (double)shape->calls;
	row->total_ns += (double)shape->total_ns;
	row->flops += isfinite(shape->flops) ? shape->flops : 0;
	row->bytes += isfinite(shape->bytes) ? shape->bytes : 0;
	row->min_ns = fmin(row->min_ns, (double)shape->min_ns);
	row->max_ns = fmax(row->max_ns, (double)shape->max_ns);
	for (int i = 0; i < RUN_HISTOGRAM_BUCKETS; i++)
		histogram[i] += (double)shape->histogram[i];
}

/* Sums the items from `first` on that are of one shape; returns how many. */
static size_t merge_shape(const struct items *all, size_t first, struct report_shape *row)
{
	double histogram[RUN_HISTOGRAM_BUCKETS] = {0};
	size_t i = first;

	name_shape(&all->items[first], row);
	while (i < all->count && !compare_shape_items(&all->items[first], &all->items[i]))
		sum_shape(all->items[i++].row, row, histogram);
	row->p50_ns = histogram_quantile(histogram, 0.50, row->min_ns, row->max_ns);
	row->p95_ns = histogram_quantile(histogram, 0.95, row->min_ns, row->max_ns);
	row->gflops = row->total_ns > 0 ? row->flops / row->total_ns : NAN;
	return i - first;
}

static int compare_shapes(const void *left, const void *right)
{
	const struct report_shape *a = left, *b = right;

	if (a->threads != b->threads)
		return order(a->threads, b->threads);
	return (a->total_ns < b->total_ns) - (a->total_ns > b->total_ns);
}

static double shape_sum(const struct report *report, int threads)
{
	double sum = 0;

	for (size_t i = 0; i < report->nshapes; i++)
		if (report->shapes[i].threads == threads)
			sum += report->shapes[i].total_ns;
	return sum;
}

int build_shapes(const struct run *runs, struct report *report)
{
	struct items all = {0};
	int result = gather(runs, report, RUN_PART_SHAPES, compare_shape_items, &all);

	for (size_t i = 0; i < all.count && !result;) {
		struct report_shape *row =
			array_add(&report->shapes, &report->nshapes, sizeof *row);

		if (row)
			i += merge_shape(&all, i, row);
		else
			result = -1;
	}
	free(all.items);
	if (report->nshapes)
		qsort(report->shapes, report->nshapes, sizeof *report->shapes, compare_shapes);
	for (size_t row = 0; row < report->nrows; row++) {
		double sum = shape_sum(report, report->rows[row].threads);

		for (size_t i = 0; i < report->nshapes; i++)
			if (report->shapes[i].threads == report->rows[row].threads)
				report->shapes[i].share =
					sum > 0 ? report->shapes[i].total_ns / sum : NAN;
	}
	return result;
}

static int compare_function_items(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	const struct run_function *x = a->row, *y = b->row;
	int result = order(a->threads, b->threads);

	result = result ? result : strcmp(x->function, y->function);
	result = result ? result : strcmp(x->object, y->object);
	return result ? result : order(x->code, y->code);
}

/* Sums the items from `first` on that are one function; returns how many, 0 when memory is out. */
static size_t merge_function(const struct items *all, size_t first, struct report_function *row)
{
	const struct run_function *function = all->items[first].row;
	size_t i = first;

	row->threads = all->items[first].threads;
	row->function = strdup(function->function);
	row->object = strdup(function->object);
	row->code = run_code_names[(unsigned int)function->code < RUN_CODE_COUNT ? function->code
										 : RUN_CODE_OTHER];
	while (i < all->count && !compare_function_items(&all->items[first], &all->items[i]))
		row->samples += (double)((const struct run_function *)all->items[i++].row)->samples;
	return row->function && row->object ? i - first : 0;
}

static int compare_functions(const void *left, const void *right)
{
	const struct report_function *a = left, *b = right;

	if (a->threads != b->threads)
		return order(a->threads, b->threads);
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
	int result = gather(runs, report, RUN_PART_FUNCTIONS, compare_function_items, &all);

	for (size_t i = 0, merged; i < all.count && !result; i += merged) {
		struct report_function *row =
			array_add(&report->functions, &report->nfunctions, sizeof *row);

		merged = row ? merge_function(&all, i, row) : 0;
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
