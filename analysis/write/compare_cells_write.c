/* compare_cells_write.c: writes a comparison of two suites for people and as rows. */
/* SPDX-License-Identifier: MIT */
#include "report/compare_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/cell_name.h"
#include "report/columns.h"
#include "write/table_format.h"
#include "write/grid.h"
#include "base/human.h"
#include "write/text.h"

/* A row as CSV has it. */
struct written_row {
	const char *category, *kernel, *cache, *blas_before, *blas_after;
	double m, n, k;
	int element_bytes, offset_bytes, threads;
	double before, after, change, low, high;
	int significant, other_result;
};

/* clang-format off */
#define C(name, type, unit, doc) { #name, type, offsetof(struct written_row, name), unit, doc }
static const struct report_column columns[] = {
	C(category, VALUE_TEXT, "", "as in the table cells, and so to threads"),
	C(kernel, VALUE_TEXT, "", ""),
	C(element_bytes, VALUE_INT, "bytes", ""),
	C(m, VALUE_WHOLE, "", ""),
	C(n, VALUE_WHOLE, "", ""),
	C(k, VALUE_WHOLE, "", ""),
	C(offset_bytes, VALUE_INT, "bytes", ""),
	C(threads, VALUE_INT, "threads", ""),
	C(cache, VALUE_TEXT, "", ""),
	C(before, VALUE_REAL, "ns", "median time of a run before"),
	C(after, VALUE_REAL, "ns", "and after"),
	C(change, VALUE_REAL, "", "after / before - 1"),
	C(low, VALUE_REAL, "", "lower end of its 95 % interval; empty: too few samples"),
	C(high, VALUE_REAL, "", "upper end"),
	C(significant, VALUE_INT, "", "1: more than chance, 0: not, -1: cannot be told"),
	C(other_result, VALUE_INT, "", "1: from the same seed another checksum came out"),
	C(blas_before, VALUE_TEXT, "", "the BLAS library before"),
	C(blas_after, VALUE_TEXT, "", "and after"),
};
#undef C
/* clang-format on */

static struct written_row written_row(const struct suite_row *row)
{
	const struct cell *a = row->before, *b = row->after;

	return (struct written_row){
		a->category,	  a->kernel,	     a->cache,	   a->blas,
		b->blas,	  (double)a->m,	     (double)a->n, (double)a->k,
		a->element_bytes, a->offset_bytes,   a->threads,   a->median_ns,
		b->median_ns,	  row->change,	     row->low,	   row->high,
		row->significant, row->other_result,
	};
}

static int write_rows(const void *data, rows_writer *write, FILE *out)
{
	const struct suite_comparison *comparison = data;
	struct written_row *rows = calloc(comparison->nrows + 1, sizeof *rows);
	int failed;

	if (!rows)
		return -1;
	for (size_t i = 0; i < comparison->nrows; i++)
		rows[i] = written_row(&comparison->rows[i]);
	failed = write(columns, sizeof columns / sizeof columns[0], rows, sizeof *rows,
		       comparison->nrows, out);
	free(rows);
	return failed;
}

static void write_side(const char *label, const struct suite_side *side, FILE *out)
{
	const struct cell *first = &side->cells[0];
	char text[2048];

	snprintf(text, sizeof text, "%.200s: suite %lld, %zu cells of %.250s on %.250s, %s, %.250s",
		 side->name, (long long)first->suite, side->count, first->blas, first->host,
		 first->date, first->revision);
	text_wrap(label, text, out);
}

/* The cells of one category, counted by verdict. */
struct tally {
	int cells, faster, slower, chance, unknown;
	double logs; /* summed over those that were timed on both sides */
	int timed;
};

static struct tally tally_category(const struct suite_comparison *comparison, const char *category)
{
	struct tally tally = {0};

	for (size_t i = 0; i < comparison->nrows; i++) {
		const struct suite_row *row = &comparison->rows[i];

		if (strcmp(row->before->category, category) != 0)
			continue;
		tally.cells++;
		tally.chance += row->significant == SIGNIFICANCE_NO;
		tally.unknown += row->significant == SIGNIFICANCE_UNKNOWN;
		tally.faster += row->significant == SIGNIFICANCE_YES && row->change < 0;
		tally.slower += row->significant == SIGNIFICANCE_YES && row->change > 0;
		if (isfinite(row->change)) {
			tally.logs += log1p(row->change);
			tally.timed++;
		}
	}
	return tally;
}

static int is_new_category(const struct suite_comparison *comparison, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (!strcmp(comparison->rows[i].before->category,
			    comparison->rows[row].before->category))
			return 0;
	return 1;
}

static int write_categories(const struct suite_comparison *comparison, FILE *out)
{
	static const char *const headings[] = {
		"category", "cells", "faster", "slower", "chance", "?", "time, geometric mean"};
	struct grid grid = {.align = "lrrrrrr"};

	for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
		grid_add(&grid, "%s", headings[i]);
	for (size_t i = 0; i < comparison->nrows; i++) {
		const char *category = comparison->rows[i].before->category;
		struct tally tally;

		if (!is_new_category(comparison, i))
			continue;
		tally = tally_category(comparison, category);
		grid_add(&grid, "%s", category);
		grid_add(&grid, "%d", tally.cells);
		grid_add(&grid, "%d", tally.faster);
		grid_add(&grid, "%d", tally.slower);
		grid_add(&grid, "%d", tally.chance);
		grid_add(&grid, "%d", tally.unknown);
		if (tally.timed)
			grid_add(&grid, "x%.3f", exp(tally.logs / tally.timed));
		else
			grid_add(&grid, "-");
	}
	fputc('\n', out);
	return grid_print(&grid, out);
}

/* Those that changed most first. */
static int compare_changes(const void *left, const void *right)
{
	const struct suite_row *const *a = left, *const *b = right;
	double first = fabs(log1p((*a)->change)), second = fabs(log1p((*b)->change));

	return (first < second) - (first > second);
}

static void add_row(const struct suite_row *row, struct grid *grid)
{
	char name[CELL_NAME_MAX], number[HUMAN_MAX];

	grid_add(grid, "%s", cell_name(row->before, name));
	grid_add(grid, "%s", human_time(row->before->median_ns, number));
	grid_add(grid, "%s", human_time(row->after->median_ns, number));
	if (row->change > 9.995)
		grid_add(grid, "x%.3g", 1 + row->change);
	else
		grid_add(grid, "%+.1f%%", 100 * row->change);
	grid_add(grid, "%+.1f to %+.1f", 100 * row->low, 100 * row->high);
	grid_add(grid, "%s", row->change < 0 ? "faster" : "slower");
}

static int write_changes(const struct suite_comparison *comparison, FILE *out)
{
	static const char *const headings[] = {"cell", "before",	"after",
					       "in %", "95 % interval", "verdict"};
	const struct suite_row **changed = calloc(comparison->nrows + 1, sizeof(*changed));
	struct grid grid = {.align = "lrrrrl"};
	size_t count = 0;

	if (!changed)
		return -1;
	for (size_t i = 0; i < comparison->nrows; i++)
		if (comparison->rows[i].significant == SIGNIFICANCE_YES)
			changed[count++] = &comparison->rows[i];
	qsort(changed, count, sizeof(*changed), compare_changes);
	for (size_t i = 0; count && i < sizeof headings / sizeof headings[0]; i++)
		grid_add(&grid, "%s", headings[i]);
	for (size_t i = 0; i < count; i++)
		add_row(changed[i], &grid);
	free(changed);
	fputs(count ? "\nCells that changed, most first\n" : "\nNo cell changed.\n", out);
	return count ? grid_print(&grid, out) : 0;
}

static int write_text(const void *data, FILE *out)
{
	const struct suite_comparison *comparison = data;
	int failed, others = 0;

	write_side("before   ", &comparison->sides[0], out);
	write_side("after    ", &comparison->sides[1], out);
	failed = write_categories(comparison, out);
	failed |= write_changes(comparison, out);
	for (size_t i = 0; i < comparison->nrows; i++)
		others += comparison->rows[i].other_result;
	fprintf(out,
		"\n%zu cells are in both, %zu only before, %zu only after; %d came to another "
		"checksum.\nfaster, slower: the 95 %% interval of the change does not hold 0; else "
		"chance; ?: under 6\nsamples, or not timed on both sides.\n",
		comparison->nrows, comparison->sides[0].alone, comparison->sides[1].alone, others);
	return failed ? -1 : 0;
}

const struct table_writers suite_writers = {write_text, write_rows};
