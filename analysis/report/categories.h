/* categories.h: sorts functions into kinds of work by a table of patterns. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CATEGORIES_H
#define REPORT_CATEGORIES_H

#include <stddef.h>

#include "store/run.h"
#include "base/error.h"

#define CATEGORY_MAX	     32
/* What BLAS libraries do, and what fits no pattern. */
#define CATEGORY_BLAS	     "BLAS"
#define CATEGORY_OTHER	     "other"
/* Matrix work outside BLAS calls, by samples; and code of libraries without symbols, which may be
 * such work. */
#define CATEGORY_MATRIX	     "matrix work"
#define CATEGORY_INTERPRETER "interpreter"
#define CATEGORY_LOCKS	     "threads/locks"
#define CATEGORY_KERNEL	     "kernel"
#define CATEGORY_NAMELESS    "no symbols"
/* Code that only waits, and what BLAS's own threads do outside BLAS code. */
#define CATEGORY_SPINNING    "spinning"

struct category_row;

/* The table; a zeroed one is empty. */
struct categories {
	struct category_row *rows;
	size_t count;
	int missing; /* 1: the table that comes with blasprof was not found */
};

/* Adds the lines of a file (its format is told in analysis/report/categories.txt) after those that
 * are there. 0, or -1 with *err, which names the line that is bad; the table is then as it was
 * before.
 */
int categories_read(struct categories *categories, const char *path, struct error *err);
void categories_free(struct categories *categories);

/* The category of a function; `into` is what it was inlined into, or "": it counts where the
 * function itself fits no pattern. Owned by the table, or CATEGORY_OTHER (CATEGORY_BLAS for BLAS
 * code). NULL categories are an empty table. */
const char *category_find(const struct categories *categories, const char *object,
			  enum run_code code, const char *function, const char *into);

/* The samples of the run in other code of the category, outside BLAS's own threads. */
double category_samples(const struct categories *categories, const struct run *run,
			const char *category);

#endif
