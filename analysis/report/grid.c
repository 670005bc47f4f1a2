/* grid.c: a table of text whose columns are as wide as they need to be. */
/* SPDX-License-Identifier: MIT */
#include "report/grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/escape.h"
#include "util/array.h"

static struct grid_cell *add_cell(struct grid *grid)
{
	struct grid_cell *cell = array_add(&grid->cells, &grid->count, sizeof *cell);

	grid->failed |= !cell;
	return cell;
}

void grid_add(struct grid *grid, const char *fmt, ...)
{
	struct grid_cell *cell = add_cell(grid);
	va_list args;

	if (!cell)
		return;
	va_start(args, fmt);
	vsnprintf(cell->text, sizeof cell->text, fmt, args);
	va_end(args);
}

void grid_add_text(struct grid *grid, const char *text, size_t width)
{
	struct grid_cell *cell = add_cell(grid);

	if (cell)
		escape_text(text, width, cell->text, sizeof cell->text);
}

static void measure(const struct grid *grid, size_t columns, size_t *widths)
{
	for (size_t i = 0; i < grid->count; i++) {
		size_t width = text_width(grid->cells[i].text);

		if (width > widths[i % columns])
			widths[i % columns] = width;
	}
}

/* No spaces at the end of a line. */
static void print_cell(const struct grid *grid, size_t i, size_t columns, size_t width, FILE *out)
{
	const char *text = grid->cells[i].text;
	size_t column = i % columns, padding = width - text_width(text);
	int last = column + 1 == columns;

	if (grid->align[column] == 'r')
		fprintf(out, "%*s%s", (int)padding, "", text);
	else
		fprintf(out, "%s%*s", text, last ? 0 : (int)padding, "");
	fputs(last ? "\n" : "  ", out);
}

int grid_print(struct grid *grid, FILE *out)
{
	size_t columns = strlen(grid->align), widths[GRID_COLUMNS] = {0};

	measure(grid, columns, widths);
	for (size_t i = 0; i < grid->count && !grid->failed; i++)
		print_cell(grid, i, columns, widths[i % columns], out);
	free(grid->cells);
	grid->cells = NULL;
	grid->count = 0;
	return grid->failed ? -1 : 0;
}
