/* xlsx_chart.c: the workbook's sheet of measured and predicted speed-ups, as formulas where there
 * is one, and its chart. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "report/build.h"
#include "write/xlsx.h"

#define SHEET_NAME  "Speed-up"
/* The cells that formulas take f(1) and m from. */
#define F_CELL	    "$B$1"
#define UNITS_CELL  "$B$2"
#define HEADING	    3 /* row of the headings, from 0 */
#define FORMULA_MAX 192
#define TICKS_MAX   16 /* thread counts that the axis can name each */
#define WIDTH	    11 /* of a column, in characters */

/* A column of the sheet: what it is called, and the formula for N in cell %s; NULL: only the
 * figure. */
struct line {
	const char *heading, *formula;
	size_t prediction;
	struct look {
		lxw_color_t colour; /* 0: it is not drawn */
		float points;	    /* of the line's width */
		uint8_t marker, dashes;
	} look;
};
#define NO_PREDICTION REPORT_PREDICTIONS

/* Colours as in the pictures that gnuplot draws: solid lines for facts, dashed ones for models. */
#define DRAWN(colour, points, marker, dashes)                                                      \
	{                                                                                          \
		colour, points, LXW_CHART_MARKER_##marker, LXW_CHART_LINE_DASH_##dashes            \
	}

static const struct line lines[] = {
	{"measured", NULL, NO_PREDICTION, DRAWN(0x1b6ca8, 2.5, CIRCLE, SOLID)},
	{"ideal", "=%1$s", NO_PREDICTION, DRAWN(0x95a5a6, 1, NONE, SOLID)},
	{"amdahl", "=1/(" F_CELL "+(1-" F_CELL ")/%1$s)", 0, DRAWN(0xc0392b, 1.5, SQUARE, DASH)},
	{"bound", "=IF(%1$s*" F_CELL "<=" UNITS_CELL ",%1$s," UNITS_CELL "/" F_CELL ")", 1, {0}},
	{"queue", NULL, 2, DRAWN(0x27865a, 1.5, DIAMOND, DASH)},
	{"forkjoin", "=1/((1-" F_CELL ")/%1$s+" F_CELL "/MIN(%1$s," UNITS_CELL "))", 3, {0}},
	{"inner", "=1/((1-" F_CELL ")+" F_CELL "/%1$s)", 4, {0}},
	{"replay", NULL, PREDICTED_REPLAY, DRAWN(0x8e44ad, 1.5, TRIANGLE, DASH)},
	{"usl", NULL, PREDICTED_USL, {0}},
};
#define LINES (sizeof lines / sizeof *lines)

static double line_value(const struct line *line, const struct report_row *row)
{
	if (line->prediction != NO_PREDICTION)
		return row->predicted[line->prediction];
	return line->formula ? row->threads : row->speedup;
}

/* Over one thread, from the table's own figures; the figure itself where there is no run with one.
 */
static void write_measured(const struct xlsx_book *book, lxw_worksheet *sheet, size_t at,
			   size_t row)
{
	const struct report_row *counted = &book->report->rows[row];
	const struct report_row *one = report_find_row(book->report, 1);
	char here[XLSX_NAME_MAX], base[XLSX_NAME_MAX], formula[FORMULA_MAX];

	if (!one || !isfinite(counted->speedup)) {
		xlsx_number(sheet, at, 1, counted->speedup, book->real);
		return;
	}
	snprintf(formula, sizeof formula, "=%s/%s", xlsx_place("threads", "throughput", row, here),
		 xlsx_place("threads", "throughput", (size_t)(one - book->report->rows), base));
	worksheet_write_formula_num(sheet, (lxw_row_t)at, 1, formula, book->real, counted->speedup);
}

static void write_line(const struct xlsx_book *book, lxw_worksheet *sheet, const struct line *line,
		       size_t at, size_t row)
{
	double value = line_value(line, &book->report->rows[row]);
	char cell[LXW_MAX_CELL_NAME_LENGTH], formula[FORMULA_MAX];
	size_t column = (size_t)(line - lines) + 1;

	if (line == lines) {
		write_measured(book, sheet, at, row);
		return;
	}
	if (!line->formula || !isfinite(value)) {
		xlsx_number(sheet, at, column, value, book->real);
		return;
	}
	lxw_rowcol_to_cell(cell, (lxw_row_t)at, 0);
	snprintf(formula, sizeof formula, line->formula, cell);
	worksheet_write_formula_num(sheet, (lxw_row_t)at, (lxw_col_t)column, formula, book->real,
				    value);
}

static void draw_line(lxw_chart *chart, const struct line *line, lxw_row_t first, lxw_row_t last)
{
	lxw_col_t column = (lxw_col_t)(line - lines + 1);
	lxw_chart_series *series = chart_add_series(chart, NULL, NULL);
	lxw_chart_line drawn = {.color = line->look.colour,
				.width = line->look.points,
				.dash_type = line->look.dashes};
	lxw_chart_fill fill = {.color = line->look.colour};

	chart_series_set_categories(series, SHEET_NAME, first, 0, last, 0);
	chart_series_set_values(series, SHEET_NAME, first, column, last, column);
	chart_series_set_name(series, line->heading);
	chart_series_set_line(series, &drawn);
	chart_series_set_marker_type(series, line->look.marker);
	if (line->look.marker == LXW_CHART_MARKER_NONE)
		return;
	chart_series_set_marker_size(series, 6);
	chart_series_set_marker_fill(series, &fill);
	chart_series_set_marker_line(series, &(lxw_chart_line){.color = line->look.colour});
}

/* An axis of numbers cannot mark those that are over the CPUs available, so its name says it. */
static void name_threads(const struct report *report, lxw_chart *chart)
{
	const struct report_row *most = &report->rows[report->nrows - 1];
	char name[80] = "threads";

	if (most->threads > most->cpus_available)
		snprintf(name, sizeof name, "threads (over %d: more than CPUs available)",
			 most->cpus_available);
	chart_axis_set_name(chart->x_axis, name);
}

static void set_axes(const struct xlsx_book *book, lxw_chart *chart)
{
	lxw_chart_line faint = {.color = 0xd5dbe3, .width = 0.75f};

	chart_title_set_name(chart, "Speed-up over one thread");
	name_threads(book->report, chart);
	chart_axis_set_name(chart->y_axis, "speed-up");
	chart_axis_set_min(chart->x_axis, 0);
	if (book->report->rows[book->report->nrows - 1].threads <= TICKS_MAX)
		chart_axis_set_major_unit(chart->x_axis, 1);
	chart_axis_set_min(chart->y_axis, 0);
	chart_axis_major_gridlines_set_line(chart->y_axis, &faint);
}

static void draw(const struct xlsx_book *book, lxw_worksheet *sheet)
{
	lxw_chart *chart =
		workbook_add_chart(book->workbook, LXW_CHART_SCATTER_STRAIGHT_WITH_MARKERS);
	lxw_row_t first = HEADING + 1, last = (lxw_row_t)(HEADING + book->report->nrows);
	lxw_chart_options options = {.x_scale = 1.4, .y_scale = 1.4};

	if (!chart)
		return;
	for (size_t i = 0; i < LINES; i++)
		if (lines[i].look.colour)
			draw_line(chart, &lines[i], first, last);
	set_axes(book, chart);
	worksheet_insert_chart_opt(sheet, (lxw_row_t)(last + 2), 0, chart, &options);
}

void xlsx_speedup(const struct xlsx_book *book)
{
	const struct report *report = book->report;
	lxw_worksheet *sheet =
		report->nrows ? workbook_add_worksheet(book->workbook, SHEET_NAME) : NULL;

	if (!sheet)
		return;
	xlsx_set_page(sheet);
	worksheet_set_column(sheet, 0, LINES, WIDTH, NULL);
	worksheet_write_string(sheet, 0, 0, "f(1)", book->bold);
	xlsx_number(sheet, 0, 1, report->scaling.f, book->real);
	worksheet_write_string(sheet, 1, 0, "units m", book->bold);
	xlsx_number(sheet, 1, 1, report->options.units, NULL);
	worksheet_write_string(sheet, HEADING, 0, "threads", book->heading);
	worksheet_freeze_panes(sheet, HEADING + 1, 1);
	for (size_t i = 0; i < LINES; i++)
		worksheet_write_string(sheet, HEADING, (lxw_col_t)(i + 1), lines[i].heading,
				       book->heading);
	for (size_t row = 0; row < report->nrows; row++) {
		size_t at = HEADING + 1 + row;

		worksheet_write_number(sheet, (lxw_row_t)at, 0, report->rows[row].threads, NULL);
		for (size_t i = 0; i < LINES; i++)
			write_line(book, sheet, &lines[i], at, row);
	}
	draw(book, sheet);
}
