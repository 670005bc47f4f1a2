/* xlsx.c: writes the report as a workbook: a summary, the speed-ups with a chart, a sheet for each
 * table. */
/* SPDX-License-Identifier: MIT */
#include "write/xlsx.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "write/escape.h"
#include "write/format.h"
#include "write/scratch.h"

#define HEADING_ROW    0
#define COLUMN_WIDTH   14
#define CELL_BYTES_MAX 32000 /* less than a cell can hold */

const char *xlsx_sheet_name(const struct report_table *table, char name[XLSX_NAME_MAX])
{
	static const struct {
		const char *table, *sheet;
	} others[] = {{"threads", "Thread counts"}, /* "Threads" is for the threads themselves */
		      {"run-threads", "Threads"},
		      {"waits", "Waiting"},
		      {"shape_counters", "Shape counters"},
		      {"mpi", "MPI"}};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (!strcmp(table->name, others[i].table))
			return strcpy(name, others[i].sheet);
	snprintf(name, XLSX_NAME_MAX, "%s", table->name);
	name[0] = (char)(name[0] - 'a' + 'A');
	return name;
}

static size_t find_column(const struct report_table *table, const char *name)
{
	for (size_t i = 0; i < table->ncolumns; i++)
		if (!strcmp(table->columns[i].name, name))
			return i;
	return 0;
}

const char *xlsx_place(const char *table_name, const char *column, size_t row,
		       char place[XLSX_NAME_MAX])
{
	const struct report_table *table = report_table_find(table_name);
	char name[XLSX_NAME_MAX], cell[LXW_MAX_CELL_NAME_LENGTH];

	lxw_rowcol_to_cell_abs(cell, (lxw_row_t)row + 1, (lxw_col_t)find_column(table, column), 1,
			       1);
	snprintf(place, XLSX_NAME_MAX, "'%.30s'!%s", xlsx_sheet_name(table, name), cell);
	return place;
}

void xlsx_number(lxw_worksheet *sheet, size_t row, size_t column, double value, lxw_format *format)
{
	if (isfinite(value))
		worksheet_write_number(sheet, (lxw_row_t)row, (lxw_col_t)column, value, format);
}

/* As text, whatever it begins with. */
static int write_text(lxw_worksheet *sheet, size_t row, size_t column, const char *text,
		      lxw_format *format)
{
	char *safe = escape_copy(text, "\t\n");

	if (!safe)
		return -1;
	escape_cut(safe, CELL_BYTES_MAX);
	worksheet_write_string(sheet, (lxw_row_t)row, (lxw_col_t)column, safe, format);
	free(safe);
	return 0;
}

static int write_cell(const struct xlsx_book *book, lxw_worksheet *sheet,
		      const struct report_column *column, size_t at, size_t row, const void *data)
{
	const char *text = column_text(column, data);

	if (text && !*text)
		return 0;
	if (text)
		return write_text(sheet, row, at, text,
				  xlsx_is_prose(text) ? book->prose : book->text);
	xlsx_number(sheet, row, at, column_value(column, data),
		    column->type == VALUE_REAL ? book->real : book->whole);
	return 0;
}

void xlsx_set_page(lxw_worksheet *sheet)
{
	worksheet_set_landscape(sheet);
	worksheet_fit_to_pages(sheet, 1, 0);
}

static lxw_worksheet *add_sheet(const struct xlsx_book *book, const char *name)
{
	lxw_worksheet *sheet = workbook_add_worksheet(book->workbook, name);

	if (!sheet)
		return NULL;
	worksheet_freeze_panes(sheet, HEADING_ROW + 1, 0);
	worksheet_repeat_rows(sheet, HEADING_ROW, HEADING_ROW);
	worksheet_set_landscape(sheet);
	return sheet;
}

static int write_column(const struct xlsx_book *book, lxw_worksheet *sheet,
			const struct report_table *table, size_t at)
{
	const struct report_column *column = &table->columns[at];
	size_t rows = report_table_rows(book->report, table);

	worksheet_write_string(sheet, HEADING_ROW, (lxw_col_t)at, column->name,
			       column_is_text(column) ? book->text_heading : book->heading);
	for (size_t row = 0; row < rows; row++)
		if (write_cell(book, sheet, column, at, row + 1,
			       report_table_row(book->report, table, row)))
			return -1;
	return 0;
}

/* Every number as it is: what the other formats say, so that formulas can build on it. A sheet that
 * would be too small to read on one page's width is printed on several. */
static int write_table(const struct xlsx_book *book, const struct report_table *table)
{
	char name[XLSX_NAME_MAX];
	lxw_worksheet *sheet = add_sheet(book, xlsx_sheet_name(table, name));
	size_t rows = report_table_rows(book->report, table), whole = 0;

	if (!sheet)
		return -1;
	for (size_t i = 0; i < table->ncolumns; i++) {
		size_t width = xlsx_column_width(book->report, table, i);

		worksheet_set_column(sheet, (lxw_col_t)i, (lxw_col_t)i, (double)width, NULL);
		whole += width;
		if (write_column(book, sheet, table, i))
			return -1;
	}
	for (size_t row = 0; row < rows; row++)
		xlsx_set_height(book, sheet, table, row);
	if (whole <= XLSX_PAGE_WIDTH)
		worksheet_fit_to_pages(sheet, 1, 0);
	worksheet_autofilter(sheet, HEADING_ROW, 0, (lxw_row_t)rows,
			     (lxw_col_t)table->ncolumns - 1);
	return 0;
}

/* What each column of each sheet means. */
static int write_columns(const struct xlsx_book *book)
{
	static const char *const headings[] = {"sheet", "column", "unit", "meaning"};
	lxw_worksheet *sheet = add_sheet(book, "Columns");
	size_t row = 1;
	char name[XLSX_NAME_MAX];

	if (!sheet)
		return -1;
	for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
		worksheet_write_string(sheet, HEADING_ROW, (lxw_col_t)i, headings[i], book->bold);
	worksheet_set_column(sheet, 0, 2, COLUMN_WIDTH + 6, NULL);
	worksheet_set_column(sheet, 3, 3, 2 * XLSX_TEXT_WIDTH, NULL);
	worksheet_fit_to_pages(sheet, 1, 0);
	for (size_t i = 0; i < report_tables_count; i++)
		for (size_t j = 0; j < report_tables[i].ncolumns; j++, row++) {
			const struct report_column *column = &report_tables[i].columns[j];
			const char *cells[] = {xlsx_sheet_name(&report_tables[i], name),
					       column->name, column->unit, column->doc};

			for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
				worksheet_write_string(sheet, (lxw_row_t)row, (lxw_col_t)k,
						       cells[k], NULL);
		}
	return 0;
}

/* The four parts that thread time is split into. */
static const struct {
	const char *heading, *column;
	enum category category;
} parts[] = {
	{"BLAS", "blas_ns", CAT_BLAS},
	{"other", "other_ns", CAT_OTHER},
	{"waiting", "waiting_ns", CAT_WAITING},
	{"no CPU", "preempted_ns", CAT_NO_CPU},
};
#define PARTS (sizeof parts / sizeof *parts)

static void write_split(const struct xlsx_book *book, lxw_worksheet *sheet, size_t at, size_t row)
{
	const struct report_row *counted = &book->report->rows[row];
	char places[PARTS][XLSX_NAME_MAX], sum[PARTS * XLSX_NAME_MAX + 16], formula[2 * sizeof sum];
	double total = 0;

	for (size_t i = 0; i < PARTS; i++) {
		xlsx_place("threads", parts[i].column, row, places[i]);
		total += counted->account.category_ns[parts[i].category];
	}
	snprintf(sum, sizeof sum, "(%s+%s+%s+%s)", places[0], places[1], places[2], places[3]);
	for (size_t i = 0; i < PARTS; i++) {
		snprintf(formula, sizeof formula, "=%s/%s", places[i], sum);
		worksheet_write_formula_num(
			sheet, (lxw_row_t)at, (lxw_col_t)(3 + i), formula, book->percent,
			total > 0 ? counted->account.category_ns[parts[i].category] / total : 0);
	}
}

static void write_summary_row(const struct xlsx_book *book, lxw_worksheet *sheet, size_t at,
			      size_t row)
{
	const struct report_row *counted = &book->report->rows[row];
	char place[XLSX_NAME_MAX], formula[XLSX_NAME_MAX + 16];

	worksheet_write_number(sheet, (lxw_row_t)at, 0, counted->threads, NULL);
	if (counted->runs > 0) {
		snprintf(formula, sizeof formula, "=%s/1e9/%d",
			 xlsx_place("threads", "wall_ns", row, place), counted->runs);
		worksheet_write_formula_num(sheet, (lxw_row_t)at, 1, formula, book->real,
					    (double)counted->account.wall_ns / 1e9 / counted->runs);
	}
	if (isfinite(counted->account.f_intercepted)) {
		snprintf(formula, sizeof formula, "=%s",
			 xlsx_place("threads", "f_intercepted", row, place));
		worksheet_write_formula_num(sheet, (lxw_row_t)at, 2, formula, book->percent,
					    counted->account.f_intercepted);
	}
	write_split(book, sheet, at, row);
}

static int write_summary(const struct xlsx_book *book)
{
	const struct report *report = book->report;
	lxw_worksheet *sheet = workbook_add_worksheet(book->workbook, "Summary");
	const char *lines[][2] = {{"command", report->command},
				  {"experiment", report->experiment},
				  {"started", report->started},
				  {"what-if", report->what_if}};
	char verdict[REPORT_VERDICT_MAX];
	size_t at = 2;

	if (!sheet)
		return -1;
	xlsx_set_page(sheet);
	worksheet_set_column(sheet, 0, 8, COLUMN_WIDTH, NULL);
	worksheet_merge_range(sheet, 0, 0, 0, 8, report_verdict(report, verdict), book->verdict);
	worksheet_set_row(sheet, 0, 48, NULL);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		if (!*lines[i][1])
			continue;
		worksheet_write_string(sheet, (lxw_row_t)at, 0, lines[i][0], book->bold);
		if (write_text(sheet, at++, 1, lines[i][1], NULL))
			return -1;
	}
	at++;
	worksheet_write_string(sheet, (lxw_row_t)at, 0, "threads", book->heading);
	worksheet_write_string(sheet, (lxw_row_t)at, 1, "wall s", book->heading);
	worksheet_write_string(sheet, (lxw_row_t)at, 2, "f", book->heading);
	for (size_t i = 0; i < PARTS; i++)
		worksheet_write_string(sheet, (lxw_row_t)at, (lxw_col_t)(3 + i), parts[i].heading,
				       book->heading);
	for (size_t row = 0; row < report->nrows; row++)
		write_summary_row(book, sheet, at + 1 + row, row);
	return 0;
}

static int write_sheets(struct xlsx_book *book)
{
	if (xlsx_add_formats(book) || write_summary(book))
		return -1;
	xlsx_speedup(book);
	for (size_t i = 0; i < report_tables_count; i++)
		if (write_table(book, &report_tables[i]))
			return -1;
	return write_columns(book);
}

/* The library writes to a named file only. */
static int make_book(const struct report *report, const char *part, const char *path,
		     const char *folder, struct error *err)
{
	lxw_workbook_options options = {.tmpdir = (char *)folder};
	struct xlsx_book book = {.workbook = workbook_new_opt(path, &options), .report = report};
	int failed = !book.workbook || write_sheets(&book);
	lxw_error closed = book.workbook ? workbook_close(book.workbook) : LXW_NO_ERROR;

	(void)part;
	if (failed)
		return error_out_of_memory(err);
	if (closed)
		return error_set(err, "make room in the folder for temporary files (TMPDIR)",
				 "cannot make the workbook: %s", lxw_strerror(closed));
	return 0;
}

int xlsx_write(const struct report *report, const char *part, FILE *out, struct error *err)
{
	return scratch_write(report, part, make_book, out, err);
}
