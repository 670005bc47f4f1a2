/* sizes_write.c: writes f, matrix units and speed-up of several experiments as one table. */
/* SPDX-License-Identifier: MIT */
#include "report/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/human.h"
#include "base/memory.h"
#include "report/columns.h"
#include "write/format.h"
#include "write/text_line.h"
#include "write/text_table.h"

#define VALUE_WIDTH 24

#define COLUMN(name, member, type, unit, doc)                                                      \
	REPORT_COLUMN(sizes_row, name, member, FIELD_##type, unit, doc),
#define MEMBER(name, type, unit, doc) COLUMN(#name, name, type, unit, doc)
#define RANGE(name, unit, doc)                                                                     \
	COLUMN(#name, name.value, REAL, unit, doc)                                                 \
	COLUMN(#name "_low", name.low, REAL, unit, "lower end of its 95 % interval")               \
	COLUMN(#name "_high", name.high, REAL, unit, "upper end")
static const struct field columns[] = {SIZES_COLUMNS(MEMBER, RANGE)};
const struct table sizes_table = {
	"blasprof -L",
	"one row for each combination of values and thread count; a column for each parameter "
	"comes before these",
	columns, COUNT(columns), TABLE_ROWS(sizes, rows, count)};
#define COLUMNS_MAX (SIZES_PARAMETERS_MAX + COUNT(columns))

/* Lists a column for each parameter, and the columns above. Returns how many. */
static size_t list_columns(const struct sizes *sizes, struct field all[COLUMNS_MAX])
{
	for (size_t i = 0; i < sizes->nnames; i++)
		all[i] = (struct field)REPORT_COLUMN(sizes_row, sizes->names[i], values[i],
						     FIELD_STRING, "", "");
	memcpy(&all[sizes->nnames], columns, sizeof columns);
	return sizes->nnames + COUNT(columns);
}

static int is_over(const struct sizes_row *row)
{
	return row->threads > row->cpus_available;
}

/* If less than half of the loss is in BLAS, the units also stand for other causes. */
static int is_doubtful(const struct sizes_row *row)
{
	return isfinite(row->units.value) && row->lost_blas < row->lost / 2;
}

TEXT_CELL(threads_text, sizes_row, "%d%s", row->threads, is_over(row) ? "*" : "")

TEXT_FUNCTION(units_text)
{
	const struct sizes_row *row = data;
	const struct interval *units = &row->units;
	const char *mark = is_doubtful(row) ? "?" : "";

	if (isnan(units->value))
		return strcmp(row->unit_seen, "no") ? "-" : "none seen";
	if (isnan(units->low))
		return string_printf("%.1f%s", units->value, mark);
	return isfinite(units->high)
		       ? string_printf("%.1f%s (%.1f to %.1f)", units->value, mark, units->low,
				       units->high)
		       : string_printf("%.1f%s (%.1f or more)", units->value, mark, units->low);
}

static void write_legend(const struct sizes *sizes, FILE *out)
{
	int estimated = 0, intervals = 0, doubtful = 0, over = 0;

	EACH_ROW(row, sizes->rows, sizes->count) {
		estimated |= row->f_estimated > 0;
		intervals |= isfinite(row->f.high) || isfinite(row->speedup.high);
		doubtful |= is_doubtful(row);
		over |= is_over(row);
	}
	fputs("\nf: BLAS share of the work at one thread. units: matrix units that the threads "
	      "seem to share.\nspeed-up: measured, over one thread.\n",
	      out);
	if (intervals)
		fputs("± half the width of the 95 % interval\n", out);
	if (doubtful)
		fputs("? most of the speed-up is lost outside BLAS, so the units also stand for "
		      "other causes\n",
		      out);
	if (estimated)
		fputs("~ estimated from the fastest calls, since there is no run with one thread\n",
		      out);
	if (over)
		fputs("* more threads than CPUs available\n", out);
	fputs("-> why, at one size: blasprof report -x NAME, with a name from blasprof list "
	      "--experiments\n",
	      out);
}

static void write_text(const void *data, FILE *out)
{
	static const struct text_column shown[] = {
		{"f", "f", AS_FRACTION, .with_range = 1, .with_mark = 1},
		RIGHT("units", units_text, 0),
		RIGHT("threads", threads_text, 0),
		{"speedup", "speed-up", AS_NUMBER, .with_range = 1, .with_mark = 1},
	};
	const struct sizes *sizes = data;
	const void **rows = memory_rows(sizes->count, sizeof *rows);
	struct field all[COLUMNS_MAX];
	struct text_table table = {.from = all, .nfrom = list_columns(sizes, all)};
	size_t count = 0;

	for (size_t i = 0; i < sizes->nnames; i++)
		table.columns[table.ncolumns++] = (struct text_column){
			sizes->names[i], sizes->names[i], AS_RIGHT, VALUE_WIDTH};
	text_table_add(&table, shown, COUNT(shown));
	/* a line for each thread count over 1, or for 1 if an experiment has no other */
	for (size_t i = 0; i < sizes->count; i++)
		if (sizes->rows[i].threads > 1 || i + 1 == sizes->count ||
		    sizes->rows[i + 1].threads == 1)
			rows[count++] = &sizes->rows[i];
	text_wrap("sizes    ", sizes->title, out);
	if (sizes->what_if)
		text_what_if(sizes->what_if, out);
	fputc('\n', out);
	text_table_print(&table, rows, count, out);
	free(rows);
	write_legend(sizes, out);
}

void sizes_write(const void *data, enum table_format format, FILE *out)
{
	struct field all[COLUMNS_MAX];
	struct table table = sizes_table;

	table.fields = all;
	table.nfields = list_columns(data, all);
	table_write(&table, write_text, data, format, out);
}
