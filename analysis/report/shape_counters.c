/* shape_counters.c: merges what calls of each shape counted into one row for each thread count. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/build.h"
#include "base/array.h"

/* By thread count and shape; regions are summed up. */
static int compare_shape(const struct item *a, const struct item *b)
{
	const struct run_shape_counter *x = a->row, *y = b->row;
	const int64_t keys[][2] = {{a->threads, b->threads}, SHAPE_PAIRS(x, y)};
	int result = order_pairs(keys, sizeof keys / sizeof keys[0]);

	return result ? result : strcmp(x->shape.routine, y->shape.routine);
}

static int compare_items(const void *left, const void *right)
{
	const struct run_shape_counter *x = ((const struct item *)left)->row;
	const struct run_shape_counter *y = ((const struct item *)right)->row;
	int result = compare_shape(left, right);

	return result ? result : strcmp(x->event, y->event);
}

static void name_row(const struct item *item, struct report_shape_counter *row)
{
	const struct run_shape_counter *from = item->row;

	row->threads = item->threads;
	memcpy(row->event, from->event, sizeof row->event);
	memcpy(row->routine, from->shape.routine, sizeof row->routine);
	row->transa[0] = from->shape.transa == '-' ? '\0' : from->shape.transa;
	row->transb[0] = from->shape.transb == '-' ? '\0' : from->shape.transb;
	row->m = from->shape.other_shapes ? NAN : (double)from->shape.m;
	row->n = from->shape.other_shapes ? NAN : (double)from->shape.n;
	row->k = from->shape.other_shapes ? NAN : (double)from->shape.k;
}

/* Sums the items from `first` on that are one shape and event; returns how many. */
static size_t merge_rows(const struct items *all, size_t first, struct report_shape_counter *row)
{
	size_t i = first;

	name_row(&all->items[first], row);
	while (i < all->count && !compare_items(&all->items[first], &all->items[i])) {
		const struct run_shape_counter *from = all->items[i++].row;

		row->calls += (double)from->calls;
		row->count += isfinite(from->count) ? from->count : 0;
	}
	row->per_call = row->calls > 0 ? row->count / row->calls : NAN;
	return i - first;
}

static int is_cycles(const char *event)
{
	return !strncasecmp(event, "cycles", 6) && (!event[6] || event[6] == ':');
}

/* Rows of one shape follow one another. */
static void set_per_cycle(struct report_shape_counter *rows, size_t count)
{
	double cycles = NAN;

	for (size_t i = 0; i < count; i++)
		if (is_cycles(rows[i].event))
			cycles = rows[i].count;
	for (size_t i = 0; i < count; i++)
		rows[i].per_cycle =
			cycles > 0 && !is_cycles(rows[i].event) ? rows[i].count / cycles : NAN;
}

int build_shape_counters(const struct run *runs, struct report *report)
{
	struct items all = {0};
	size_t group = 0, group_item = 0;
	int result = gather_items(runs, report, RUN_PART_SHAPE_COUNTERS, compare_items, &all);

	for (size_t i = 0; i < all.count && !result;) {
		struct report_shape_counter *row;

		if (compare_shape(&all.items[group_item], &all.items[i])) {
			set_per_cycle(report->shape_counters + group,
				      report->nshape_counters - group);
			group = report->nshape_counters;
			group_item = i;
		}
		row = array_add(&report->shape_counters, &report->nshape_counters, sizeof *row);
		if (row)
			i += merge_rows(&all, i, row);
		else
			result = -1;
	}
	if (report->nshape_counters)
		set_per_cycle(report->shape_counters + group, report->nshape_counters - group);
	free(all.items);
	return result;
}
