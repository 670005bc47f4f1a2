/* shapes.c: merges the shapes of many runs into one row for each thread count. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/stats.h"
#include "report/build.h"
#include "base/array.h"

#define SHARE_SAMPLES_MIN 10 /* fewer say nothing of how they are shared */

int gather_items(const struct run *runs, const struct report *report, enum run_part part,
		 int (*compare)(const void *, const void *), struct items *all)
{
	for (size_t i = 0; i < report->nruns; i++) {
		if (!report->runs[i].used)
			continue;
		for (size_t j = 0; j < table_count(&run_tables[part], &runs[i]); j++) {
			struct item *item = array_add(&all->items, &all->count, sizeof *item);

			if (!item)
				return -1;
			item->threads = report->runs[i].threads;
			item->row = table_row(&run_tables[part], &runs[i], j);
		}
	}
	if (all->count)
		qsort(all->items, all->count, sizeof *all->items, compare);
	return 0;
}

int order_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

int order_pairs(const int64_t pairs[][2], size_t count)
{
	int result = 0;

	for (size_t i = 0; i < count && !result; i++)
		result = order_numbers(pairs[i][0], pairs[i][1]);
	return result;
}

/* By thread count and what was called; regions are summed up. */
static int compare_shape_items(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	const struct run_shape *x = a->row, *y = b->row;
	const int64_t keys[][2] = {{a->threads, b->threads}, SHAPE_PAIRS(x, y)};
	int result = order_pairs(keys, sizeof keys / sizeof keys[0]);

	result = result ? result : strcmp(x->shape.routine, y->shape.routine);
	return result ? result : strcmp(x->shape.variant, y->shape.variant);
}

static void name_shape(const struct item *item, struct report_shape *row)
{
	const struct run_shape *shape = item->row;

	row->threads = item->threads;
	memcpy(row->routine, shape->shape.routine, sizeof row->routine);
	memcpy(row->variant, shape->shape.variant, sizeof row->variant);
	row->precision = shape->shape.type == 'd' || shape->shape.type == 'z' ? PRECISION_DOUBLE
									      : PRECISION_SINGLE;
	memcpy(row->region, shape->shape.region, sizeof row->region);
	row->transa[0] = shape->shape.transa == '-' ? '\0' : shape->shape.transa;
	row->transb[0] = shape->shape.transb == '-' ? '\0' : shape->shape.transb;
	row->m = shape->shape.other_shapes ? NAN : (double)shape->shape.m;
	row->n = shape->shape.other_shapes ? NAN : (double)shape->shape.n;
	row->k = shape->shape.other_shapes ? NAN : (double)shape->shape.k;
	row->min_ns = INFINITY;
}

static void sum_shape(const struct run_shape *shape, struct report_shape *row)
{
	row->calls += (double)shape->calls;
	row->total_ns += (double)shape->total_ns;
	row->flops += isfinite(shape->flops) ? shape->flops : 0;
	row->bytes += isfinite(shape->bytes) ? shape->bytes : 0;
	row->samples_callers += (double)shape->samples_callers;
	row->samples_workers += (double)shape->samples_workers;
	row->min_ns = fmin(row->min_ns, (double)shape->min_ns);
	row->max_ns = fmax(row->max_ns, (double)shape->max_ns);
	for (int i = 0; i < RUN_HISTOGRAM_BUCKETS; i++)
		row->histogram[i] += shape->histogram[i];
}

/* NAN where the histogram is empty. */
static double quantile(const struct report_shape *row, double q)
{
	return stats_histogram_quantile(row->histogram, RUN_HISTOGRAM_BUCKETS, run_bucket_low_ns,
					row->min_ns, row->max_ns, q);
}

static int compare_region_items(const void *left, const void *right)
{
	const struct run_shape *x = ((const struct item *)left)->row;
	const struct run_shape *y = ((const struct item *)right)->row;
	int result = compare_shape_items(left, right);

	return result ? result : strcmp(x->shape.region, y->shape.region);
}

static void set_worker_share(struct report_shape *row)
{
	double samples = row->samples_callers + row->samples_workers;

	row->worker_share = samples >= SHARE_SAMPLES_MIN ? row->samples_workers / samples : NAN;
}

/* Sums the items from `first` on that compare as equal; returns how many. */
static size_t merge_shape(const struct items *all, size_t first,
			  int (*compare)(const void *, const void *), struct report_shape *row)
{
	size_t i = first;

	name_shape(&all->items[first], row);
	while (i < all->count && !compare(&all->items[first], &all->items[i]))
		sum_shape(all->items[i++].row, row);
	row->p50_ns = quantile(row, 0.50);
	row->p95_ns = quantile(row, 0.95);
	row->gflops = row->total_ns > 0 ? row->flops / row->total_ns : NAN;
	row->gbytes_per_s = row->total_ns > 0 ? row->bytes / row->total_ns : NAN;
	set_worker_share(row);
	return i - first;
}

static int compare_shapes(const void *left, const void *right)
{
	const struct report_shape *a = left, *b = right;

	if (a->threads != b->threads)
		return order_numbers(a->threads, b->threads);
	return (a->total_ns < b->total_ns) - (a->total_ns > b->total_ns);
}

/* Sets each shape's share; they are sorted by thread count. */
static void set_shares(struct report_shape *shapes, size_t count)
{
	for (size_t first = 0, next; first < count; first = next) {
		double sum = 0;

		for (next = first; next < count && shapes[next].threads == shapes[first].threads;
		     next++)
			sum += shapes[next].total_ns;
		for (size_t i = first; i < next; i++)
			shapes[i].share = sum > 0 ? shapes[i].total_ns / sum : NAN;
	}
}

/* Merges what compares as equal. */
static int build_by(const struct run *runs, const struct report *report,
		    int (*compare)(const void *, const void *), struct report_shape **shapes,
		    size_t *count)
{
	struct items all = {0};
	int result = gather_items(runs, report, RUN_PART_SHAPES, compare, &all);

	for (size_t i = 0; i < all.count && !result;) {
		struct report_shape *row = array_add(shapes, count, sizeof *row);

		if (row)
			i += merge_shape(&all, i, compare, row);
		else
			result = -1;
	}
	free(all.items);
	if (*count)
		qsort(*shapes, *count, sizeof **shapes, compare_shapes);
	set_shares(*shapes, *count);
	return result;
}

int build_shapes(const struct run *runs, struct report *report)
{
	if (build_by(runs, report, compare_shape_items, &report->shapes, &report->nshapes) ||
	    build_by(runs, report, compare_region_items, &report->region_shapes,
		     &report->nregion_shapes))
		return -1;
	for (size_t i = 0; i < report->nshapes; i++)
		report->shapes[i].region[0] = '\0';
	return 0;
}

const char *shape_name(const struct report_shape *shape, char text[SHAPE_NAME_MAX])
{
	const double sizes[] = {shape->m, shape->n, shape->k};
	int has_transposes = *shape->transa || *shape->transb;
	int length = snprintf(text, SHAPE_NAME_MAX, "%.31s%s%s%s", shape->routine,
			      has_transposes ? " " : "", shape->transa, shape->transb);

	if (!isfinite(shape->m))
		length += snprintf(text + length, SHAPE_NAME_MAX - (size_t)length, " other shapes");
	for (size_t i = 0, shown = 0; i < 3; i++)
		if (isfinite(sizes[i]) && sizes[i] > 0)
			length += snprintf(text + length, SHAPE_NAME_MAX - (size_t)length, "%s%.0f",
					   shown++ ? " x " : " ", sizes[i]);
	return text;
}
