/* grid.c: a table of text whose columns are as wide as they need to be. */
/* SPDX-License-Identifier: MIT */
#include "write/grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "write/escape.h"
#include "write/terminal.h"
#include "base/memory.h"

void grid_add(struct grid *grid, const char *fmt, ...)
{
	struct grid_cell *cell = memory_add(&grid->cells, &grid->count, sizeof *cell);
	va_list args;

	va_start(args, fmt);
	vsnprintf(cell->text, sizeof cell->text, fmt, args);
	va_end(args);
}

void grid_add_text(struct grid *grid, const char *text, size_t width)
{
	struct grid_cell *cell = memory_add(&grid->cells, &grid->count, sizeof *cell);

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

/* Texts keep so many characters where a grid is too wide, and numbers all. */
#define TEXT_KEPT 16

struct layout {
	size_t columns, gap;
	size_t keys; /* columns that each part of a grid begins with, for they tell its rows apart
		      */
	size_t widths[GRID_COLUMNS];
};

static size_t layout_width(const struct layout *layout)
{
	size_t width = 0;

	for (size_t i = 0; i < layout->columns; i++)
		width += layout->widths[i] + (i ? layout->gap : 0);
	return width;
}

/* The widest column of text, or `columns` where none can be cut. */
static size_t find_widest(const struct grid *grid, const struct layout *layout)
{
	size_t widest = layout->columns;

	for (size_t i = 0; i < layout->columns; i++)
		if (grid->align[i] == 'l' && layout->widths[i] > TEXT_KEPT &&
		    (widest == layout->columns || layout->widths[i] > layout->widths[widest]))
			widest = i;
	return widest;
}

static void fit(const struct grid *grid, size_t width, struct layout *layout)
{
	size_t widest;

	layout->gap = 2;
	if (layout_width(layout) > width)
		layout->gap = 1;
	while (layout_width(layout) > width &&
	       (widest = find_widest(grid, layout)) < layout->columns)
		layout->widths[widest]--;
	if (layout_width(layout) > width)
		layout->gap = 2; /* it is split into parts anyway */
}

/* Rows that are looked at to find what tells them apart. */
#define ROWS_COMPARED 100

static int is_same(const struct grid_cell *left, const struct grid_cell *right, size_t columns)
{
	for (size_t i = 0; i < columns; i++)
		if (strcmp(left[i].text, right[i].text))
			return 0;
	return 1;
}

/* 1 where no two rows have the same texts in so many columns. */
static int are_keys(const struct grid *grid, const struct layout *layout, size_t keys)
{
	size_t rows = grid->count / layout->columns;

	for (size_t i = 0; i < rows && i < ROWS_COMPARED; i++)
		for (size_t j = 0; j < i; j++)
			if (is_same(&grid->cells[i * layout->columns],
				    &grid->cells[j * layout->columns], keys))
				return 0;
	return 1;
}

static size_t widest_from(const struct layout *layout, size_t first)
{
	size_t widest = 0;

	for (size_t i = first; i < layout->columns; i++)
		widest = layout->widths[i] > widest ? layout->widths[i] : widest;
	return widest;
}

/* The fewest columns that tell rows apart, where any of the others has room beside them; else one.
 */
static size_t count_keys(const struct grid *grid, const struct layout *layout, size_t width)
{
	size_t used = 0;

	for (size_t keys = 1; keys < layout->columns; keys++) {
		used += layout->widths[keys - 1] + layout->gap;
		if (used + widest_from(layout, keys) <= width && are_keys(grid, layout, keys))
			return keys;
	}
	return 1;
}

/* The column after the last that still fits beside the keys and those from `first` on. */
static size_t part_end(const struct layout *layout, size_t first, size_t width)
{
	size_t used = 0, end = first;

	for (size_t i = 0; i < layout->keys; i++)
		used += layout->widths[i] + (i ? layout->gap : 0);
	while (end < layout->columns &&
	       (used + layout->gap + layout->widths[end] <= width || end == first)) {
		used += layout->gap + layout->widths[end];
		end++;
	}
	return end;
}

/* The columns of a line that stand in a part: the keys and those from `first` to before `end`. No
 * spaces at the end of a line, and none of an empty cell there. */
static void print_row(const struct grid *grid, const struct grid_cell *cells,
		      const struct layout *layout, size_t first, size_t end, FILE *out)
{
	int owed = 0; /* spaces that are due before more text */

	for (size_t i = 0; i < end; i = i + 1 == layout->keys ? first : i + 1) {
		char text[sizeof cells->text];
		int padding, before;

		escape_text(cells[i].text, layout->widths[i], text, sizeof text);
		padding = (int)(layout->widths[i] - text_width(text));
		before = grid->align[i] == 'r' ? padding : 0;
		if (*text) {
			fprintf(out, "%*s%s", owed + before, "", text);
			owed = 0;
		}
		owed += (*text ? padding - before : (int)layout->widths[i]) + (int)layout->gap;
	}
	fputs("\n", out);
}

static void print_parts(const struct grid *grid, const struct layout *layout, size_t width,
			FILE *out)
{
	size_t first = layout->keys, end;

	do {
		end = part_end(layout, first, width);
		if (first > layout->keys)
			fputs("\n", out);
		for (size_t i = 0; i < grid->count; i += layout->columns)
			print_row(grid, &grid->cells[i], layout, first, end, out);
		first = end;
	} while (first < layout->columns);
}

void grid_print(struct grid *grid, FILE *out)
{
	struct layout layout = {.columns = strlen(grid->align)};
	size_t width = (size_t)terminal_width();

	measure(grid, layout.columns, layout.widths);
	fit(grid, width, &layout);
	layout.keys = layout_width(&layout) > width ? count_keys(grid, &layout, width) : 1;
	print_parts(grid, &layout, width, out);
	free(grid->cells);
	grid->cells = NULL;
	grid->count = 0;
}
