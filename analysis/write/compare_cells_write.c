/* compare_cells_write.c: writes a comparison of two suites for people and as rows. */
/* SPDX-License-Identifier: MIT */
#include "report/compare_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/cell_name.h"
#include "report/columns.h"
#include "write/table_format.h"
#include "base/human.h"
#include "write/text_line.h"
#include "write/text_table.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A row as CSV has it. */
struct written_row {
	const char *category, *kernel, *cache, *blas_before, *blas_after;
	double m, n, k;
	int element_bytes, offset_bytes, threads;
	double before, after, change, low, high;
	int significant, other_result;
};

/* clang-format off */
#define C(name, type, unit, doc) REPORT_COLUMN(written_row, #name, name, type, unit, doc)
static const struct field columns[] = {
	C(category, FIELD_TEXT, "", "as in the table cells, and so to threads"),
	C(kernel, FIELD_TEXT, "", ""),
	C(element_bytes, FIELD_INT, "bytes", ""),
	C(m, FIELD_WHOLE, "", ""),
	C(n, FIELD_WHOLE, "", ""),
	C(k, FIELD_WHOLE, "", ""),
	C(offset_bytes, FIELD_INT, "bytes", ""),
	C(threads, FIELD_INT, "threads", ""),
	C(cache, FIELD_TEXT, "", ""),
	C(before, FIELD_REAL, "ns", "median time of a run before"),
	C(after, FIELD_REAL, "ns", "and after"),
	C(change, FIELD_REAL, "", "after / before - 1"),
	C(low, FIELD_REAL, "", "lower end of its 95 % interval; empty: too few samples"),
	C(high, FIELD_REAL, "", "upper end"),
	C(significant, FIELD_INT, "", "1: more than chance, 0: not, -1: cannot be told"),
	C(other_result, FIELD_INT, "", "1: from the same seed another checksum came out"),
	C(blas_before, FIELD_TEXT, "", "the BLAS library before"),
	C(blas_after, FIELD_TEXT, "", "and after"),
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
	const char *category;
	int cells, faster, slower, chance, unknown;
	double logs; /* summed over those that were timed on both sides */
	int timed;
};

static struct tally tally_category(const struct suite_comparison *comparison, const char *category)
{
	struct tally tally = {.category = category};

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

TEXT_FUNCTION(tally_text)
{
	const struct tally *tally = data;

	if (tally->timed)
		snprintf(text, TEXT_CELL_MAX, "x%.3f", exp(tally->logs / tally->timed));
	else
		strcpy(text, "-");
}

static int write_categories(const struct suite_comparison *comparison, FILE *out)
{
#define C(name, type) REPORT_COLUMN(tally, #name, name, type, "", "")
	static const struct field from[] = {C(category, FIELD_TEXT), C(cells, FIELD_INT),
					    C(faster, FIELD_INT),    C(slower, FIELD_INT),
					    C(chance, FIELD_INT),    C(unknown, FIELD_INT)};
#undef C
	static const struct text_column shown[] = {
		{"category", "category"},
		{"cells", "cells", AS_INT},
		{"faster", "faster", AS_INT},
		{"slower", "slower", AS_INT},
		{"chance", "chance", AS_INT},
		{"unknown", "?", AS_INT},
		{.heading = "time, geometric mean", .text = tally_text, .is_right = 1},
	};
	struct text_table table = {.from = from, .nfrom = COUNT(from)};
	struct tally *tallies = calloc(comparison->nrows + 1, sizeof *tallies);
	size_t count = 0;
	int failed = -1;

	for (size_t i = 0; tallies && i < comparison->nrows; i++)
		if (is_new_category(comparison, i))
			tallies[count++] =
				tally_category(comparison, comparison->rows[i].before->category);
	fputc('\n', out);
	text_table_add(&table, shown, COUNT(shown));
	if (tallies)
		failed = text_table_print_array(&table, tallies, sizeof *tallies, count, out);
	free(tallies);
	return failed;
}

/* Those that changed most first. */
COMPARE(compare_changes, struct suite_row *const,
	ORDER(fabs(log1p((*b)->change)), fabs(log1p((*a)->change))))

TEXT_FUNCTION(name_text)
{
	char name[CELL_NAME_MAX];

	strcpy(text, cell_name(((const struct suite_row *)data)->before, name));
}

/* Of before, index 0, or after. */
TEXT_VALUE(median_ns, suite_row, column->index ? row->after->median_ns : row->before->median_ns)

TEXT_FUNCTION(share_text)
{
	change_text(((const struct suite_row *)data)->change, text);
}

TEXT_CELL(interval_text, suite_row, "%+.1f to %+.1f", 100 * row->low, 100 * row->high)

TEXT_FUNCTION(verdict_text)
{
	strcpy(text, ((const struct suite_row *)data)->change < 0 ? "faster" : "slower");
}

static int write_changes(const struct suite_comparison *comparison, FILE *out)
{
	static const struct text_column shown[] = {
		{.heading = "cell", .text = name_text},
		{.heading = "before", .form = AS_TIME, .value = median_ns, .index = 0},
		{.heading = "after", .form = AS_TIME, .value = median_ns, .index = 1},
		{.heading = "in %", .text = share_text, .is_right = 1},
		{.heading = "95 % interval", .text = interval_text, .is_right = 1},
		{.heading = "verdict", .text = verdict_text},
	};
	const struct suite_row **changed = calloc(comparison->nrows + 1, sizeof(*changed));
	struct text_table table = {.ncolumns = 0};
	size_t count = 0;
	int failed = 0;

	if (!changed)
		return -1;
	for (size_t i = 0; i < comparison->nrows; i++)
		if (comparison->rows[i].significant == SIGNIFICANCE_YES)
			changed[count++] = &comparison->rows[i];
	qsort(changed, count, sizeof(*changed), compare_changes);
	fputs(count ? "\nCells that changed, most first\n" : "\nNo cell changed.\n", out);
	text_table_add(&table, shown, COUNT(shown));
	if (count)
		failed = text_table_print(&table, (const void *const *)changed, count, out);
	free(changed);
	return failed;
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
