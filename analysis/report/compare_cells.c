/* compare_cells.c: compares the cells of two suites, before and after. */
/* SPDX-License-Identifier: MIT */
#include "report/compare_cells.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/human.h"
#include "base/memory.h"

/* The smallest and the largest of fewer samples are no 95 % interval of the median: they miss it in
 * 2 / 2^5 = 6 % of all cases. */
#define SAMPLES_MIN 6

/* Returns the side's measurement of the same, or NULL. */
static const struct cell *find_cell(const struct suite_side *side, const struct cell *wanted)
{
	EACH_ROW(cell, side->cells, side->count)
		if (!strcmp(cell->category, wanted->category) &&
		    !strcmp(cell->kernel, wanted->kernel) && !strcmp(cell->cache, wanted->cache) &&
		    cell->m == wanted->m && cell->n == wanted->n && cell->k == wanted->k &&
		    cell->element_bytes == wanted->element_bytes &&
		    cell->offset_bytes == wanted->offset_bytes && cell->threads == wanted->threads)
			return cell;
	return NULL;
}

static int is_timed(const struct cell *cell)
{
	return !strcmp(cell->status, "ok") && cell->low_ns > 0;
}

static void set_row(struct suite_row *row, const struct cell *a, const struct cell *b)
{
	double difference, below, above;

	*row = (struct suite_row){*a, *b, NAN, NAN, NAN, SIGNIFICANCE_UNKNOWN, 0};
	row->other_result = a->seed == b->seed && strcmp(a->checksum, b->checksum) != 0 &&
			    is_timed(a) && is_timed(b);
	if (!is_timed(a) || !is_timed(b))
		return;
	difference = log(b->median_ns / a->median_ns);
	row->change = expm1(difference);
	if (a->samples < SAMPLES_MIN || b->samples < SAMPLES_MIN)
		return;
	below = hypot(log(b->median_ns / b->low_ns), log(a->high_ns / a->median_ns));
	above = hypot(log(b->high_ns / b->median_ns), log(a->median_ns / a->low_ns));
	row->low = expm1(difference - below);
	row->high = expm1(difference + above);
	row->significant = row->low > 0 || row->high < 0 ? SIGNIFICANCE_YES : SIGNIFICANCE_NO;
}

int suite_compare(struct suite_comparison *comparison, struct error *err)
{
	struct suite_side *before = &comparison->sides[0], *after = &comparison->sides[1];

	for (size_t i = 0; i < before->count; i++) {
		const struct cell *other = find_cell(after, &before->cells[i]);
		struct suite_row *row;

		if (!other)
			continue;
		row = memory_add(&comparison->rows, &comparison->nrows, sizeof *row);
		set_row(row, &before->cells[i], other);
	}
	before->alone = before->count - comparison->nrows;
	after->alone = after->count > comparison->nrows ? after->count - comparison->nrows : 0;
	if (comparison->nrows)
		return 0;
	return error_set(err, "measure both with the same categories and numbers of threads",
			 "'%s' and '%s' have no cell in common", before->name, after->name);
}

const struct suite_row *suite_worst(const struct suite_comparison *comparison, double limit)
{
	const struct suite_row *worst = NULL;

	EACH_ROW(row, comparison->rows, comparison->nrows) {
		if (row->significant == SIGNIFICANCE_YES && row->change > limit &&
		    (!worst || row->change > worst->change))
			worst = row;
	}
	return worst;
}

const char *cell_name(const struct cell *cell, char text[CELL_NAME_MAX])
{
	char size[80], offset[32] = "";

	if (cell->m)
		snprintf(size, sizeof size, "%" PRId64 " x %" PRId64 " x %" PRId64, cell->m,
			 cell->n, cell->k);
	else
		snprintf(size, sizeof size, "%" PRId64, cell->n);
	if (cell->offset_bytes)
		snprintf(offset, sizeof offset, " + %d bytes", cell->offset_bytes);
	snprintf(text, CELL_NAME_MAX, "%s %s%s, %d thread%s%s", cell->kernel, size, offset,
		 cell->threads, plural(cell->threads), strcmp(cell->cache, "cold") ? "" : ", cold");
	return text;
}
