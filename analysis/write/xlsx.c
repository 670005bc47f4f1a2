/* xlsx.c: writes the report as an Excel workbook: a summary, the speed-ups with a chart, and a
 * sheet for each table. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xlsxwriter.h>

#include "base/human.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "report/scaling.h"
#include "report/build.h"
#include "report/columns.h"
#include "report/causes.h"
#include "write/escape.h"
#include "write/format.h"

#define CELL_BYTES_MAX 32000 /* a cell holds 32,767 characters */
/* Widths in characters. */
#define COLUMN_WIDTH   14
#define LABEL_WIDTH    42  /* of causes and their places */
#define TEXT_WIDTH     60  /* of the widest column of texts */
#define PAGE_WIDTH     165 /* still readable when printed on one page */
#define NARROWEST      8
#define BUTTON	       4   /* the button of the filter covers this part of a heading */
#define LINE_POINTS    15  /* height of a line */
#define WIDER	       115 /* %; letters are wider in some programs than in others */
#define PROSE_LINES    8   /* a longer text is not wrapped; it is a stack or a bad name */

struct book {
	lxw_workbook *workbook;
	lxw_format *bold, *heading /* of numbers */, *text_heading, *verdict;
	lxw_format *text, *prose /* wrapped */, *whole, *real, *percent, *units;
	const struct report *report;
};

static void add_formats(struct book *book)
{
	lxw_format **const formats[] = {
		&book->bold, &book->heading, &book->text_heading, &book->verdict, &book->prose,
		&book->text, &book->whole,   &book->real,	  &book->percent, &book->units};

	for (size_t i = 0; i < COUNT(formats); i++)
		*formats[i] = memory_need(workbook_add_format(book->workbook));
	format_set_bold(book->bold);
	format_set_bold(book->heading);
	format_set_align(book->heading, LXW_ALIGN_RIGHT);
	format_set_bold(book->text_heading);
	format_set_indent(book->text_heading, 1);
	format_set_bold(book->verdict);
	format_set_font_size(book->verdict, 13);
	format_set_text_wrap(book->verdict);
	format_set_align(book->verdict, LXW_ALIGN_VERTICAL_TOP);
	format_set_indent(book->text, 1); /* apart from the number on its left */
	format_set_align(book->text, LXW_ALIGN_VERTICAL_TOP);
	format_set_indent(book->prose, 1);
	format_set_text_wrap(book->prose);
	format_set_align(book->prose, LXW_ALIGN_VERTICAL_TOP);
	format_set_num_format(book->whole, "0");
	format_set_align(book->whole, LXW_ALIGN_VERTICAL_TOP);
	format_set_num_format(book->real, "0.000");
	format_set_align(book->real, LXW_ALIGN_VERTICAL_TOP);
	format_set_num_format(book->percent, "0.0%");
	format_set_num_format(book->units, "[>=1000000]\"none\";General"); /* UNITS_NO_LIMIT */
}

static const char *sheet_name(const struct table *table)
{
	static const struct {
		const char *table, *sheet;
	} others[] = {{"threads", "Thread counts"}, /* the sheet of single threads is "Threads" */
		      {"run-threads", "Threads"},
		      {"waits", "Waiting"},
		      {"shape_counters", "Shape counters"},
		      {"mpi", "MPI"}};

	EACH_ROW(other, others, COUNT(others))
		if (!strcmp(table->name, other->table))
			return other->sheet;
	return string_printf("%c%s", *table->name - 'a' + 'A', table->name + 1);
}

/* Returns a reference to a column of row `row` (from 0) in the sheet of thread counts, such as
 * "'Thread counts'!$D$2". */
static const char *place_of(const char *column, size_t row)
{
	const struct table *table = report_table_find("threads");
	const struct field *field = table_order_by(table, column).by[0];
	char cell[LXW_MAX_CELL_NAME_LENGTH];

	lxw_rowcol_to_cell_abs(cell, (lxw_row_t)row + 1, (lxw_col_t)(field - table->fields), 1, 1);
	return string_printf("'%s'!%s", sheet_name(table), cell);
}

static void write_headings(lxw_worksheet *sheet, size_t row, const char *const *headings,
			   size_t count, lxw_format *format)
{
	for (size_t i = 0; i < count; i++)
		worksheet_write_string(sheet, (lxw_row_t)row, (lxw_col_t)i, headings[i], format);
}

/* Leaves the cell empty for NAN. */
static void write_number(lxw_worksheet *sheet, size_t row, size_t column, double value,
			 lxw_format *format)
{
	if (isfinite(value))
		worksheet_write_number(sheet, (lxw_row_t)row, (lxw_col_t)column, value, format);
}

/* Writes a text, never a formula. */
static void write_text(lxw_worksheet *sheet, size_t row, size_t column, const char *text,
		       lxw_format *format)
{
	char *safe = escape_copy(text, "\t\n");

	escape_cut(safe, CELL_BYTES_MAX);
	worksheet_write_string(sheet, (lxw_row_t)row, (lxw_col_t)column, safe, format);
	free(safe);
}

static lxw_worksheet *add_sheet(const struct book *book, const char *name)
{
	lxw_worksheet *sheet = memory_need(workbook_add_worksheet(book->workbook, name));

	worksheet_set_landscape(sheet);
	worksheet_fit_to_pages(sheet, 1, 0);
	return sheet;
}

/* Returns how many lines a text takes in the widest column, if each line may end 8 characters early
 * at a word. Sentences are wrapped; other long texts are not. */
static size_t text_lines(const char *text)
{
	size_t length = strlen(text);

	if (length <= TEXT_WIDTH || length > PROSE_LINES * TEXT_WIDTH || !strchr(text, ' '))
		return 1;
	return text_width(text) / (TEXT_WIDTH - 8) + 1;
}

/* Writes a column and makes it as wide as its cells. Returns the width. */
static size_t write_column(const struct book *book, lxw_worksheet *sheet, const struct table *table,
			   size_t at)
{
	const struct field *column = &table->fields[at];
	size_t width = strlen(column->name) + BUTTON;

	worksheet_write_string(sheet, 0, (lxw_col_t)at, column->name,
			       column_is_text(column) ? book->text_heading : book->heading);
	for (size_t i = 0; i < table_count(table, book->report); i++) {
		const void *row = table_row(table, book->report, i);
		const char *text = column_text(column, row);
		double value = column_value(column, row);
		int is_real = column->type == FIELD_REAL;
		size_t wanted = 1;

		if (text) {
			lxw_format *format = text_lines(text) > 1 ? book->prose : book->text;

			wanted = text_width(text) * WIDER / 100 + 2;
			if (*text)
				write_text(sheet, i + 1, at, text, format);
		} else if (isfinite(value)) {
			int digits = snprintf(NULL, 0, is_real ? "%.3f" : "%.0f", value);

			wanted = (size_t)digits * WIDER / 100 + 1;
			write_number(sheet, i + 1, at, value, is_real ? book->real : book->whole);
		}
		width = wanted > width ? wanted : width;
	}
	if (column_is_text(column) && width > TEXT_WIDTH)
		width = TEXT_WIDTH;
	else if (width < NARROWEST)
		width = NARROWEST;
	worksheet_set_column(sheet, (lxw_col_t)at, (lxw_col_t)at, (double)width, NULL);
	return width;
}

/* There are no sheets for tables without rows and for the histograms, which are only useful to
 * programs that can read them from other formats. */
static int has_sheet(const struct book *book, const struct table *table)
{
	return table_count(table, book->report) && strcmp(table->name, "latencies") != 0;
}

/* Writes the sheet of a table. Numbers are not rounded, so that formulas can use them. Only the
 * columns that fit on one page are printed. The heights of rows are set, since not every program
 * adapts them to wrapped text. */
static void write_table(const struct book *book, const struct table *table)
{
	lxw_worksheet *sheet = add_sheet(book, sheet_name(table));
	size_t rows = table_count(table, book->report), whole = 0, printed = 0;

	worksheet_freeze_panes(sheet, 1, 0);
	worksheet_repeat_rows(sheet, 0, 0);
	for (size_t i = 0; i < table->nfields; i++) {
		whole += write_column(book, sheet, table, i);
		if (whole <= PAGE_WIDTH)
			printed = i;
	}
	for (size_t i = 0; i < rows; i++) {
		size_t lines = 1;

		EACH_ROW(field, table->fields, table->nfields) {
			const char *text = column_text(field, table_row(table, book->report, i));

			if (text && text_lines(text) > lines)
				lines = text_lines(text);
		}
		if (lines > 1)
			worksheet_set_row(sheet, (lxw_row_t)i + 1, (double)lines * LINE_POINTS,
					  NULL);
	}
	worksheet_print_area(sheet, 0, 0, (lxw_row_t)rows, (lxw_col_t)printed);
	worksheet_autofilter(sheet, 0, 0, (lxw_row_t)rows, (lxw_col_t)table->nfields - 1);
}

/* Writes the sheet that explains the columns of all sheets. */
static void write_columns(const struct book *book)
{
	static const char *const headings[] = {"sheet", "column", "unit", "meaning"};
	lxw_worksheet *sheet = add_sheet(book, "Columns");
	size_t row = 1;

	worksheet_freeze_panes(sheet, 1, 0);
	worksheet_repeat_rows(sheet, 0, 0);
	write_headings(sheet, 0, headings, COUNT(headings), book->bold);
	worksheet_set_column(sheet, 0, 2, COLUMN_WIDTH + 6, NULL);
	worksheet_set_column(sheet, 3, 3, 2 * TEXT_WIDTH, NULL);
	EACH_ROW(table, report_tables, REPORT_TABLES)
		for (size_t j = 0; has_sheet(book, table) && j < table->nfields; j++, row++) {
			const struct field *column = &table->fields[j];
			const char *cells[] = {sheet_name(table), column->name, column->unit,
					       column->doc};

			write_headings(sheet, row, cells, COUNT(cells), NULL);
		}
}

/* Writes a formula, with its value for programs that do not compute it. */
static void write_figure(lxw_worksheet *sheet, size_t at, size_t column, const char *formula,
			 double value, lxw_format *format)
{
	worksheet_write_formula_num(sheet, (lxw_row_t)at, (lxw_col_t)column, formula, format,
				    value);
}

#define SUMMARY_SHEET "Summary"
#define CHART_ROWS    15 /* height of the chart beside a table, in rows */

static void write_summary_row(const struct book *book, lxw_worksheet *sheet, size_t at, size_t row)
{
	const struct report_row *counted = &book->report->rows[row];
	const struct account *account = &counted->account;
	const char *sum = "";
	double total = 0;
	size_t column = 3;

	worksheet_write_number(sheet, (lxw_row_t)at, 0, counted->threads, NULL);
	write_figure(sheet, at, 1,
		     string_printf("=%s/1e9/%d", place_of("wall_ns", row), counted->runs),
		     account->wall_ns / 1e9 / counted->runs, book->real);
	if (isfinite(account->f_intercepted))
		write_figure(sheet, at, 2, string_printf("=%s", place_of("f_intercepted", row)),
			     account->f_intercepted, book->percent);
	EACH_CATEGORY(category) {
		sum = string_printf("%s%s%s", sum, *sum ? "+" : "",
				    place_of(time_categories[category].column, row));
		total += account->category_ns[category];
	}
	EACH_CATEGORY(category)
		write_figure(sheet, at, column++,
			     string_printf("=%s/(%s)",
					   place_of(time_categories[category].column, row), sum),
			     total > 0 ? account->category_ns[category] / total : 0, book->percent);
}

/* Writes a table and a chart of what the speed-up was lost to. The chart has stacked bars, of which
 * the first part is invisible. Returns how many rows are used, 0 if no speed-up is known. */
static size_t write_waterfall(const struct book *book, lxw_worksheet *sheet, lxw_row_t at)
{
	static const char *const headings[] = {"lost to", "speed-up", "from", "bar"};
	const struct report_row *row;
	size_t count;
	struct waterfall_step *steps = waterfall_make(book->report, &row, &count);
	lxw_chart *chart = steps ? workbook_add_chart(book->workbook, LXW_CHART_BAR_STACKED) : NULL;
	lxw_row_t first = at + 1, last = at + (lxw_row_t)count;

	for (size_t i = 0; steps && i < COUNT(headings); i++)
		worksheet_write_string(sheet, at, (lxw_col_t)i, headings[i],
				       i ? book->heading : book->text_heading);
	for (size_t i = 0; i < count; i++) {
		lxw_row_t line = first + (lxw_row_t)i;

		write_number(sheet, line, 1, steps[i].value, book->real);
		write_number(sheet, line, 2, steps[i].from, book->real);
		write_number(sheet, line, 3, steps[i].to - steps[i].from, book->real);
		write_text(sheet, line, 0, steps[i].name, NULL);
	}
	for (lxw_col_t column = 2; chart && column <= 3; column++) {
		lxw_chart_series *series = chart_add_series(chart, NULL, NULL);

		chart_series_set_categories(series, SUMMARY_SHEET, first, 0, last, 0);
		chart_series_set_values(series, SUMMARY_SHEET, first, column, last, column);
		chart_series_set_fill(series,
				      &(lxw_chart_fill){.color = 0x1b6ca8, .none = column == 2});
	}
	if (chart) {
		lxw_chart_options options = {.x_scale = 1.4};

		chart_title_set_name(chart, "What the speed-up was lost to");
		chart_legend_set_position(chart, LXW_CHART_LEGEND_NONE);
		chart_axis_set_reverse(chart->y_axis);
		chart_axis_set_min(chart->x_axis, 0);
		worksheet_insert_chart_opt(sheet, at, 6, chart, &options);
	}
	free(steps);
	return count ? (count > CHART_ROWS ? count : CHART_ROWS) + 2 : 0;
}

static void write_summary(const struct book *book)
{
	const struct report *report = book->report;
	lxw_worksheet *sheet = add_sheet(book, SUMMARY_SHEET);
	const char *lines[][2] = {{"command", report->command},
				  {"experiment", report->experiment},
				  {"started", report->started},
				  {"what-if", report->what_if}};
	static const char *const headings[] = {"threads", "wall time, s", "f"};
	lxw_row_t at = 2;
	lxw_col_t column = COUNT(headings);

	worksheet_set_column(sheet, 0, 0, LABEL_WIDTH, NULL);
	worksheet_set_column(sheet, 1, 8, COLUMN_WIDTH, NULL);
	worksheet_merge_range(sheet, 0, 0, 0, 8, "", book->verdict);
	write_text(sheet, 0, 0, report_verdict(report), book->verdict);
	worksheet_set_row(sheet, 0, 48, NULL);
	for (size_t i = 0; i < COUNT(lines); i++) {
		if (!*lines[i][1])
			continue;
		worksheet_write_string(sheet, at, 0, lines[i][0], book->bold);
		write_text(sheet, at++, 1, lines[i][1], NULL);
	}
	at++;
	at += (lxw_row_t)write_waterfall(book, sheet, at);
	write_headings(sheet, at, headings, COUNT(headings), book->heading);
	EACH_CATEGORY(category)
		worksheet_write_string(sheet, at, column++, time_categories[category].heading,
				       book->heading);
	for (size_t row = 0; row < report->nrows; row++)
		write_summary_row(book, sheet, at + 1 + row, row);
}

/* The sheet of speed-ups has a column for the measured ones, the ideal, and each model, as formulas
 * where that is possible, and a chart of those with a colour. */
#define SPEEDUP_SHEET  "Speed-up"
#define F_CELL	       "$B$1"
#define UNITS_CELL     "$B$2"
#define UNITS_NO_LIMIT 1e6 /* if no units are shared */
#define HEADING_ROW    3
#define TICKS_MAX      16 /* most thread counts with a tick for each */
#define SPEEDUP_WIDTH  11 /* of a column, in characters */

/* Returns a model's formula, where `cell` has the thread count. It holds for the units in
 * UNITS_CELL, which one thread does not share if they are fitted. */
static const char *fill_in(const char *formula, const char *cell)
{
	char text[512] = "=";

	for (; *formula; formula++)
		if (*formula == 'f' || *formula == 'n' || *formula == 'm')
			SAY(text, "%s",
			    *formula == 'f'   ? F_CELL
			    : *formula == 'n' ? cell
					      : UNITS_CELL);
		else
			SAY(text, "%c", *formula);
	return string_pooled(text);
}

static void write_speedup(const struct book *book, lxw_worksheet *sheet, size_t at, size_t row)
{
	const struct report_row *counted = &book->report->rows[row];
	const struct report_row *one = report_find_row(book->report, 1);
	char cell[LXW_MAX_CELL_NAME_LENGTH];

	lxw_rowcol_to_cell(cell, (lxw_row_t)at, 0);
	worksheet_write_number(sheet, (lxw_row_t)at, 0, counted->threads, NULL);
	if (one && isfinite(counted->speedup))
		write_figure(
			sheet, at, 1,
			string_printf("=%s/%s", place_of("throughput", row),
				      place_of("throughput", (size_t)(one - book->report->rows))),
			counted->speedup, book->real);
	else
		write_number(sheet, at, 1, counted->speedup, book->real);
	write_figure(sheet, at, 2, fill_in("n", cell), counted->threads, book->real);
	for (size_t i = 0; i < MODELS; i++)
		if (models[i].formula &&
		    !model_is_solved(&models[i], &book->report->scaling.input) &&
		    counted->units == book->report->scaling.units.value &&
		    isfinite(counted->predicted[i].value))
			write_figure(sheet, at, 3 + i, fill_in(models[i].formula, cell),
				     counted->predicted[i].value, book->real);
		else
			write_number(sheet, at, 3 + i, counted->predicted[i].value, book->real);
}

static void draw_line(lxw_chart *chart, size_t nrows, size_t at, const char *name,
		      lxw_chart_line line, uint8_t marker)
{
	lxw_chart_series *series = chart_add_series(chart, NULL, NULL);
	lxw_row_t first = HEADING_ROW + 1, last = (lxw_row_t)(HEADING_ROW + nrows);
	lxw_col_t column = (lxw_col_t)at;

	chart_series_set_categories(series, SPEEDUP_SHEET, first, 0, last, 0);
	chart_series_set_values(series, SPEEDUP_SHEET, first, column, last, column);
	chart_series_set_name(series, name);
	chart_series_set_line(series, &line);
	chart_series_set_marker_type(series, marker);
	if (marker == LXW_CHART_MARKER_NONE)
		return;
	chart_series_set_marker_size(series, 6);
	chart_series_set_marker_fill(series, &(lxw_chart_fill){.color = line.color});
	chart_series_set_marker_line(series, &(lxw_chart_line){.color = line.color});
}

static void draw_chart(const struct book *book, lxw_worksheet *sheet)
{
	static const uint8_t markers[] = {LXW_CHART_MARKER_SQUARE, LXW_CHART_MARKER_DIAMOND,
					  LXW_CHART_MARKER_TRIANGLE, LXW_CHART_MARKER_X};
	const struct report *report = book->report;
	const struct report_row *most = &report->rows[report->nrows - 1];
	const struct model_input *input = &report->scaling.input;
	lxw_chart *chart =
		workbook_add_chart(book->workbook, LXW_CHART_SCATTER_STRAIGHT_WITH_MARKERS);
	lxw_chart_options options = {.x_scale = 1.4, .y_scale = 1.4};
	lxw_chart_line faint = {.color = 0xd5dbe3, .width = 0.75f};
	char name[80] = "threads";
	size_t drawn = 0;

	if (!chart)
		return;
	draw_line(chart, report->nrows, 1, "measured",
		  (lxw_chart_line){.color = 0x1b6ca8, .width = 2.5f}, LXW_CHART_MARKER_CIRCLE);
	draw_line(chart, report->nrows, 2, "ideal", (lxw_chart_line){.color = 0x95a5a6, .width = 1},
		  LXW_CHART_MARKER_NONE);
	for (size_t i = 0; i < MODELS; i++)
		if (model_colour(&models[i], input))
			draw_line(chart, report->nrows, 3 + i, models[i].name,
				  (lxw_chart_line){.color = model_colour(&models[i], input),
						   .width = 1.5f,
						   .dash_type = LXW_CHART_LINE_DASH_DASH},
				  markers[drawn++ % COUNT(markers)]);
	chart_title_set_name(chart, "Speed-up over one thread");
	/* a numeric axis cannot mark single thread counts */
	if (most->threads > most->cpus_available)
		snprintf(name, sizeof name, "threads (over %g: more than CPUs available)",
			 most->cpus_available);
	chart_axis_set_name(chart->x_axis, name);
	chart_axis_set_name(chart->y_axis, "speed-up");
	chart_axis_set_min(chart->x_axis, 0);
	if (most->threads <= TICKS_MAX)
		chart_axis_set_major_unit(chart->x_axis, 1);
	chart_axis_set_min(chart->y_axis, 0);
	chart_axis_major_gridlines_set_line(chart->y_axis, &faint);
	worksheet_insert_chart_opt(sheet, (lxw_row_t)(HEADING_ROW + report->nrows + 2), 0, chart,
				   &options);
}

static void write_speedups(const struct book *book)
{
	static const char *const headings[] = {"threads", "measured", "ideal"};
	const struct report *report = book->report;
	lxw_worksheet *sheet;
	lxw_col_t column = COUNT(headings);

	if (!report->nrows)
		return;
	sheet = add_sheet(book, SPEEDUP_SHEET);
	worksheet_set_column(sheet, 0, 2 + MODELS, SPEEDUP_WIDTH, NULL);
	worksheet_write_string(sheet, 0, 0, "d(1)", book->bold);
	write_number(sheet, 0, 1, report->scaling.input.d.value, book->real);
	worksheet_write_string(sheet, 1, 0, "units m", book->bold);
	write_number(sheet, 1, 1, fmin(report->scaling.units.value, UNITS_NO_LIMIT), book->units);
	write_headings(sheet, HEADING_ROW, headings, COUNT(headings), book->heading);
	EACH_ROW(model, models, MODELS)
		worksheet_write_string(sheet, HEADING_ROW, column++, model->name, book->heading);
	worksheet_freeze_panes(sheet, HEADING_ROW + 1, 1);
	for (size_t row = 0; row < report->nrows; row++)
		write_speedup(book, sheet, HEADING_ROW + 1 + row, row);
	draw_chart(book, sheet);
}

/* The library can only write to a named file. */
static int make_book(const struct report *report, const char *part, const char *how,
		     const char *path, const char *folder, struct error *err)
{
	lxw_workbook_options options = {.tmpdir = (char *)folder};
	struct book book = {.workbook = memory_need(workbook_new_opt(path, &options)),
			    .report = report};
	lxw_error closed;

	add_formats(&book);
	write_summary(&book);
	write_speedups(&book);
	for (int causes = 1; causes >= 0; causes--)
		EACH_ROW(table, report_tables, REPORT_TABLES)
			if (has_sheet(&book, table) &&
			    (strcmp(table->name, "causes") == 0) == causes)
				write_table(&book, table);
	write_columns(&book);
	closed = workbook_close(book.workbook);
	if (closed)
		return error_set(err, "make room in the folder for temporary files (TMPDIR)",
				 "cannot make the workbook: %s", lxw_strerror(closed));
	return 0;
}

int xlsx_write(const struct report *report, const char *part, FILE *out, struct error *err)
{
	return scratch_write(report, part, NULL, make_book, out, err);
}
