/* compare_cells.h: two suites of cells, before and after, and which cells differ. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_COMPARE_CELLS_H
#define REPORT_COMPARE_CELLS_H

#include "report/compare.h"
#include "store/cell.h"

struct suite_side {
	const char *name; /* as the user calls it */
	const struct cell *cells;
	size_t count;
	size_t alone; /* filled in: cells that the other side has not */
};

/* One cell that both have. */
struct suite_row {
	struct cell before, after;
	double change, low,
		high; /* of the median, as a share of before's, with its 95 % interval */
	enum significance
		significant; /* unknown: too few samples, or it was not timed on both sides */
	int other_result;    /* 1: same seed and routine, but another checksum */
};

struct suite_comparison {
	struct suite_side sides[2]; /* before, after */
	struct suite_row *rows;	    /* in the order of before's cells; owned */
	size_t nrows;
};

/* Fills in a comparison of which the sides' name, cells and count are set; the cells have to
 * outlive it. 0, or -1 with *err: no cell in common. Free its rows in every case.
 *
 * The interval of after / before - 1 is that of the logarithms' difference, which lies about it by
 * the root of the sum of squares of what both medians' intervals reach on the side in question
 * (G. Y. Zou and A. Donner, Statistics in Medicine 27, 2008, 1693-1702). */
int suite_compare(struct suite_comparison *comparison, struct error *err);

/* The row that is significantly slower by more than the share `limit`, most of all; or NULL. */
const struct suite_row *suite_worst(const struct suite_comparison *comparison, double limit);

/* "cblas_sgemm 64 x 64 x 64, 2 threads" or "copy 1024, 1 thread, cold" into text[]; returns it. */
#define CELL_NAME_MAX 192
const char *cell_name(const struct cell *cell, char text[CELL_NAME_MAX]);

#endif
