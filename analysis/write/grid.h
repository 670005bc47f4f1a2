/* grid.h: a table of text whose columns are as wide as they need to be. */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_GRID_H
#define WRITE_GRID_H

#include <stdio.h>

#define GRID_COLUMNS 80
#define GRID_CELL    1024 /* bytes of a cell */

struct grid_cell {
	const char *text; /* of the string pool */
};

/* To use it, zero it, set `align`, and add cells row by row; the first row is the heading. */
struct grid {
	const char *align; /* a character for each column: 'l' or 'r' */
	struct grid_cell *cells;
	size_t count;
};

/* The text may have any bytes: it is escaped, and cut to `width` characters; 0: to what a cell
 * holds. */
void grid_add(struct grid *grid, const char *text, size_t width);
/* Prints the grid and frees its cells. Columns are separated by two spaces, or by one if only that
 * makes the grid fit the terminal (terminal.h). In a grid that is too wide, texts are cut; if that
 * is not enough, it is printed in parts below each other, each with the columns that identify a
 * row. */
void grid_print(struct grid *grid, FILE *out);

#endif
