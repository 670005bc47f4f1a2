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

/* No spaces at the end of a line, and none of an empty cell there. */
static void print_row(const struct grid *grid, const struct grid_cell *cells, size_t columns,
		      const size_t *widths, FILE *out)
{
	int owed = 0; /* spaces that are due before more text */

	for (size_t i = 0; i < columns; i++) {
		int padding = (int)(widths[i] - text_width(cells[i].text));
		int before = grid->align[i] == 'r' ? padding : 0;

		if (*cells[i].text) {
			fprintf(out, "%*s%s", owed + before, "", cells[i].text);
			owed = 0;
		}
		owed += (*cells[i].text ? padding - before : (int)widths[i]) + 2;
	}
	fputs("\n", out);
}

int grid_print(struct grid *grid, FILE *out)
{
	size_t columns = strlen(grid->align), widths[GRID_COLUMNS] = {0};

	measure(grid, columns, widths);
	for (size_t i = 0; i < grid->count && !grid->failed; i += columns)
		print_row(grid, &grid->cells[i], columns, widths, out);
	free(grid->cells);
	grid->cells = NULL;
	grid->count = 0;
	return grid->failed ? -1 : 0;
}
