/* grid.c: a table of text whose columns are as wide as they need to be. */
/* SPDX-License-Identifier: MIT */
#include "write/grid.h"

#include <stdlib.h>
#include <string.h>

#include "write/escape.h"
#include "write/terminal.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"

void grid_add(struct grid *grid, const char *text, size_t width)
{
	struct grid_cell *cell = memory_add(&grid->cells, &grid->count, sizeof *cell);
	char safe[GRID_CELL];

	escape_text(text, width ? width : GRID_CELL - 1, safe, sizeof safe);
	cell->text = string_pooled(safe);
}

/* Texts are cut to no fewer characters than this, and numbers are not cut. */
#define TEXT_KEPT 16

struct layout {
	size_t columns, gap;
	size_t keys; /* leading columns that identify a row; each part of a grid repeats them */
	size_t widths[GRID_COLUMNS];
};

/* The width of the first columns. */
static size_t layout_width(const struct layout *layout, size_t columns)
{
	size_t width = 0;

	for (size_t i = 0; i < columns; i++)
		width += layout->widths[i] + (i ? layout->gap : 0);
	return width;
}

/* Brings the columns closer, and cuts the widest columns of text, if the grid is too wide. */
static void fit(const struct grid *grid, size_t width, struct layout *layout)
{
	size_t least = TEXT_KEPT, *widest = &least;

	layout->gap = 2;
	if (layout_width(layout, layout->columns) > width)
		layout->gap = 1;
	while (layout_width(layout, layout->columns) > width) {
		for (size_t i = 0; i < layout->columns; i++)
			if (grid->align[i] == 'l' && layout->widths[i] > *widest)
				widest = &layout->widths[i];
		if (widest == &least)
			break;
		--*widest;
		widest = &least;
	}
	if (layout_width(layout, layout->columns) > width)
		layout->gap = 2; /* the grid is printed in parts anyway */
}

/* How many of the first rows are compared to find the columns that identify a row. */
#define ROWS_COMPARED 100

/* Returns 1 if no two rows have the same texts in the first `keys` columns. */
static int are_keys(const struct grid *grid, const struct layout *layout, size_t keys)
{
	size_t rows = grid->count / layout->columns;

	for (size_t i = 0; i < rows && i < ROWS_COMPARED; i++)
		for (size_t j = 0; j < i; j++) {
			const struct grid_cell *left = &grid->cells[i * layout->columns];
			const struct grid_cell *right = &grid->cells[j * layout->columns];
			size_t same = 0;

			while (same < keys && !strcmp(left[same].text, right[same].text))
				same++;
			if (same == keys)
				return 0;
		}
	return 1;
}

/* Returns how many leading columns identify a row, if each of the others fits beside them; else 1.
 */
static size_t count_keys(const struct grid *grid, const struct layout *layout, size_t width)
{
	for (size_t keys = 1; keys < layout->columns; keys++) {
		size_t used = layout_width(layout, keys) + layout->gap, widest = 0;

		for (size_t i = keys; i < layout->columns; i++)
			widest = layout->widths[i] > widest ? layout->widths[i] : widest;
		if (used + widest <= width && are_keys(grid, layout, keys))
			return keys;
	}
	return 1;
}

/* Prints one line of a part: the keys and the columns from `first` up to `end`, without spaces at
 * the end of the line. */
static void print_row(const struct grid *grid, const struct grid_cell *cells,
		      const struct layout *layout, size_t first, size_t end, FILE *out)
{
	int spaces = 0; /* to print before the next text */

	for (size_t i = 0; i < end; i = i + 1 == layout->keys ? first : i + 1) {
		char text[GRID_CELL];
		int padding, before;

		escape_text(cells[i].text, layout->widths[i], text, sizeof text);
		padding = (int)(layout->widths[i] - text_width(text));
		before = grid->align[i] == 'r' ? padding : 0;
		if (*text) {
			fprintf(out, "%*s%s", spaces + before, "", text);
			spaces = 0;
		}
		spaces += (*text ? padding - before : (int)layout->widths[i]) + (int)layout->gap;
	}
	fputs("\n", out);
}

void grid_print(struct grid *grid, FILE *out)
{
	struct layout layout = {.columns = strlen(grid->align)};
	size_t width = (size_t)terminal_width(), first, end, used;

	for (size_t i = 0; i < grid->count; i++) {
		size_t cell = text_width(grid->cells[i].text);

		if (cell > layout.widths[i % layout.columns])
			layout.widths[i % layout.columns] = cell;
	}
	fit(grid, width, &layout);
	layout.keys = layout_width(&layout, layout.columns) > width
			      ? count_keys(grid, &layout, width)
			      : 1;
	first = layout.keys;
	do { /* prints the columns from `first` on that fit beside the keys */
		used = layout_width(&layout, layout.keys);
		for (end = first; end < layout.columns &&
				  (used + layout.gap + layout.widths[end] <= width || end == first);
		     end++)
			used += layout.gap + layout.widths[end];
		if (first > layout.keys)
			fputs("\n", out);
		for (size_t i = 0; i < grid->count; i += layout.columns)
			print_row(grid, &grid->cells[i], &layout, first, end, out);
		first = end;
	} while (first < layout.columns);
	array_free(&grid->cells, &grid->count);
}
