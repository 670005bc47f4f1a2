/* compare_cells.h: compares the cells of two suites, before and after. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_COMPARE_CELLS_H
#define REPORT_COMPARE_CELLS_H

#include "report/compare.h"
#include "store/cell.h"

struct suite_side {
	const char *name; /* as the user calls it */
	const struct cell *cells;
	size_t count;
	size_t alone; /* filled in: number of cells that the other side lacks */
};

/* A cell that both suites have. */
struct suite_row {
	struct cell before, after;
	double change, low, high;      /* change of the median / before, with its 95 % interval */
	enum significance significant; /* unknown with few samples, or if one side was not timed */
	int other_result; /* 1 if the checksums differ although the seeds are the same */
};

struct suite_comparison {
	struct suite_side sides[2]; /* before, after */
	struct suite_row *rows;	    /* in the order of before's cells; owned */
	size_t nrows;
};

/* Fills in a comparison whose sides have their name, cells and count set. The cells must outlive
 * it. Returns 0, or -1 with *err if they have no cell in common. The caller frees the rows in
 * either case.
 *
 * The interval of after / before - 1 comes from the difference of the logarithms of the medians. On
 * each side, its distance from the difference is the root of the sum of squares of the distances of
 * both medians' intervals (G. Y. Zou and A. Donner, Statistics in Medicine 27, 2008, 1693-1702). */
int suite_compare(struct suite_comparison *comparison, struct error *err);

/* The row that became significantly slower by the largest share above `limit`, or NULL. */
const struct suite_row *suite_worst(const struct suite_comparison *comparison, double limit);

/* Returns "cblas_sgemm 64 x 64 x 64, 2 threads" or "copy 1024, 1 thread, cold". */
const char *cell_name(const struct cell *cell);

#endif
