/* compare_cells_write.c: writes a comparison of two suites as text or as rows. */
/* SPDX-License-Identifier: MIT */
#include "report/compare_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "report/columns.h"
#include "write/format.h"
#include "write/text_line.h"
#include "write/text_table.h"

#define C(name, member, type, unit, doc) REPORT_COLUMN(suite_row, name, member, type, unit, doc)
static const struct field columns[] = {
	C("category", before.category, FIELD_CHARS, "", "as in the table cells"),
	C("kernel", before.kernel, FIELD_CHARS, "", "as in the table cells"),
	C("element_bytes", before.element_bytes, FIELD_INT, "bytes", "as in the table cells"),
	C("m", before.m, FIELD_INT64, "", "as in the table cells"),
	C("n", before.n, FIELD_INT64, "", "as in the table cells"),
	C("k", before.k, FIELD_INT64, "", "as in the table cells"),
	C("offset_bytes", before.offset_bytes, FIELD_INT, "bytes", "as in the table cells"),
	C("threads", before.threads, FIELD_INT, "threads", "as in the table cells"),
	C("cache", before.cache, FIELD_CHARS, "", "as in the table cells"),
	C("before", before.median_ns, FIELD_REAL, "ns", "median time of a run before"),
	C("after", after.median_ns, FIELD_REAL, "ns", "median time of a run after"),
	C("change", change, FIELD_REAL, "", "after / before - 1"),
	C("low", low, FIELD_REAL, "",
	  "lower end of the change's 95 % interval; empty: too few samples"),
	C("high", high, FIELD_REAL, "", "upper end"),
	C("significant", significant, FIELD_INT, "", "1: significant, 0: not, -1: not known"),
	C("other_result", other_result, FIELD_INT, "",
	  "1: the checksum differs though the seed is the same"),
	C("blas_before", before.blas, FIELD_CHARS, "", "the BLAS library before"),
	C("blas_after", after.blas, FIELD_CHARS, "", "the BLAS library after"),
};
#undef C

static void write_side(const char *label, const struct suite_side *side, FILE *out)
{
	const struct cell *first = &side->cells[0];

	text_say(out, label, "%.200s: suite %lld, %zu cells of %.250s on %.250s, %s, %.250s",
		 side->name, (long long)first->suite, side->count, first->blas, first->host,
		 first->date, first->revision);
}

/* The cells of one category, counted by verdict. */
struct tally {
	const char *category;
	int cells, faster, slower, chance, unknown;
	double logs; /* sum of log(after / before) of the cells that were timed on both sides */
	int timed;   /* how many these are */
};

TEXT_OF(tally_text, tally, row->timed ? string_printf("x%.3f", exp(row->logs / row->timed)) : "-")

/* In the order in which the categories first occur. */
static void write_categories(const struct suite_comparison *comparison, FILE *out)
{
#define C(name, type) REPORT_COLUMN(tally, #name, name, type, "", "")
	static const struct field from[] = {C(category, FIELD_STRING), C(cells, FIELD_INT),
					    C(faster, FIELD_INT),      C(slower, FIELD_INT),
					    C(chance, FIELD_INT),      C(unknown, FIELD_INT)};
#undef C
	static const struct text_column shown[] = {
		{"category", "category"},
		{"cells", "cells", AS_INT},
		{"faster", "faster", AS_INT},
		{"slower", "slower", AS_INT},
		{"chance", "chance", AS_INT},
		{"unknown", "?", AS_INT},
		RIGHT("time, geometric mean", tally_text, 0),
	};
	struct text_table table = {.from = from, .nfrom = COUNT(from)};
	struct tally *tallies = memory_rows(comparison->nrows, sizeof *tallies);
	size_t count = 0;

	EACH_ROW(row, comparison->rows, comparison->nrows) {
		struct tally *tally = tallies;

		while (tally < tallies + count &&
		       strcmp(tally->category, row->before.category) != 0)
			tally++;
		if (tally == tallies + count)
			tallies[count++].category = row->before.category;
		tally->cells++;
		tally->chance += row->significant == SIGNIFICANCE_NO;
		tally->unknown += row->significant == SIGNIFICANCE_UNKNOWN;
		tally->faster += row->significant == SIGNIFICANCE_YES && row->change < 0;
		tally->slower += row->significant == SIGNIFICANCE_YES && row->change > 0;
		if (isfinite(row->change)) {
			tally->logs += log1p(row->change);
			tally->timed++;
		}
	}
	fputc('\n', out);
	text_table_add(&table, shown, COUNT(shown));
	text_table_print_array(&table, tallies, sizeof *tallies, count, out);
	free(tallies);
}

/* The largest change first. */
COMPARE(compare_changes, struct suite_row *const,
	ORDER(fabs(log1p((*b)->change)), fabs(log1p((*a)->change))))

TEXT_OF(name_text, suite_row, cell_name(&row->before))

TEXT_CELL(interval_text, suite_row, "%+.1f to %+.1f", 100 * row->low, 100 * row->high)

TEXT_OF(verdict_text, suite_row, row->change < 0 ? "faster" : "slower")

static void write_changes(const struct suite_comparison *comparison, FILE *out)
{
	static const struct text_column shown[] = {
		TEXT("cell", 0, name_text),
		{"before", "before", AS_TIME},
		{"after", "after", AS_TIME},
		{"change", "change", AS_CHANGE},
		RIGHT("95 % interval", interval_text, 0),
		TEXT("verdict", 0, verdict_text),
	};
	const struct suite_row **changed = memory_rows(comparison->nrows, sizeof *changed);
	struct text_table table = {.from = columns, .nfrom = COUNT(columns)};
	size_t count = 0;

	EACH_ROW(row, comparison->rows, comparison->nrows)
		if (row->significant == SIGNIFICANCE_YES)
			changed[count++] = row;
	qsort(changed, count, sizeof(*changed), compare_changes);
	fputs(count ? "\nCells that changed, the largest change first\n" : "\nNo cell changed.\n",
	      out);
	text_table_add(&table, shown, COUNT(shown));
	if (count)
		text_table_print(&table, (const void *const *)changed, count, out);
	free(changed);
}

static void write_text(const void *data, FILE *out)
{
	const struct suite_comparison *comparison = data;
	int others = 0;

	write_side("before   ", &comparison->sides[0], out);
	write_side("after    ", &comparison->sides[1], out);
	write_categories(comparison, out);
	write_changes(comparison, out);
	EACH_ROW(row, comparison->rows, comparison->nrows)
		others += row->other_result;
	fprintf(out,
		"\n%zu cells are on both sides, %zu only before, %zu only after; %d have another "
		"checksum.\nfaster, slower: the 95 %% interval of the change excludes 0; chance: "
		"it includes 0;\n?: under 6 samples, or not timed on both sides.\n",
		comparison->nrows, comparison->sides[0].alone, comparison->sides[1].alone, others);
}

const struct table suites_table = {"compare, of suites", "one row for each cell", columns,
				   COUNT(columns), TABLE_ROWS(suite_comparison, rows, nrows)};

void suites_write(const void *data, enum table_format format, FILE *out)
{
	table_write(&suites_table, write_text, data, format, out);
}
