/* text_view.c: any one table of the report, for people. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "report/build.h"
#include "write/grid.h"
#include "base/human.h"
#include "write/text.h"
#include "write/view.h"

#define TEXT_CELL 48 /* characters of a text */

/* Paths without their folders. */
static const char *short_text(const struct report_column *column, const char *text)
{
	int is_path = !strcmp(column->name, "object") || !strcmp(column->name, "file");

	if (!*text)
		return "-";
	return is_path ? object_name(text) : text;
}

static void add_cell(struct grid *grid, const struct report_column *column, const void *row)
{
	const char *text = column_text(column, row);
	double value = column_value(column, row);
	char number[HUMAN_MAX];

	if (text)
		grid_add_text(grid, short_text(column, text), TEXT_CELL);
	else if (isnan(value))
		grid_add(grid, "-");
	else if (!strcmp(column->unit, "ns"))
		grid_add(grid, "%s", human_time(value, number));
	else if (column->type == VALUE_INT || column->type == VALUE_INT64)
		grid_add(grid, "%.0f", value);
	else if (column->type == VALUE_WHOLE || strchr(column->unit, '/'))
		grid_add(grid, "%s", human_count(value, number));
	else
		grid_add(grid, "%.3f", value);
}

/* Has any row something to show there? */
static int has_value(const struct report *report, const struct report_table *table,
		     const struct report_column *column)
{
	for (size_t i = 0; i < report_table_rows(report, table); i++) {
		const void *row = report_table_row(report, table, i);
		const char *text = column_text(column, row);

		if (text ? *text : isfinite(column_value(column, row)))
			return 1;
	}
	return 0;
}

static size_t choose(const struct report *report, const struct report_column **shown)
{
	const struct view *view = report->options.view;
	size_t count = 0;

	for (size_t i = 0; i < view->table.ncolumns && count < VIEW_COLUMNS; i++)
		if (view->chosen || has_value(report, &view->table, &view->table.columns[i]))
			shown[count++] = &view->table.columns[i];
	return count;
}

int text_view(const struct report *report, FILE *out)
{
	const struct report_table *table = &report->options.view->table;
	const struct report_column *shown[VIEW_COLUMNS];
	size_t columns = choose(report, shown), count = report_table_rows(report, table);
	size_t rows = text_limit(report, count);
	char align[VIEW_COLUMNS + 1] = "", title[512];
	struct grid grid = {.align = align};

	if (report_table_is_marked(report, table)) {
		snprintf(title, sizeof title, "%s: these runs were changed; nothing here is real",
			 report->what_if);
		text_wrap("what-if  ", title, out);
	}
	snprintf(title, sizeof title, "Table %s: %s: %zu of %zu rows%s", table->name, table->doc,
		 rows, count, rows < count ? " (all: --top=0)" : "");
	text_wrap("", title, out);
	if (!rows || !columns)
		return 0;
	for (size_t i = 0; i < columns; i++) {
		align[i] = column_is_text(shown[i]) ? 'l' : 'r';
		grid_add(&grid, "%s", shown[i]->name);
	}
	for (size_t row = 0; row < rows; row++)
		for (size_t i = 0; i < columns; i++)
			add_cell(&grid, shown[i], report_table_row(report, table, row));
	return grid_print(&grid, out);
}
