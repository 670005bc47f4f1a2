/* categories.h: sorts functions into kinds of work, by a table of patterns. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CATEGORIES_H
#define REPORT_CATEGORIES_H

#include <stddef.h>

#include "store/run.h"
#include "base/error.h"

#define CATEGORY_MAX	     32
/* What BLAS libraries do, and what no pattern fits. */
#define CATEGORY_BLAS	     "BLAS"
#define CATEGORY_OTHER	     "other"
#define CATEGORY_MATRIX	     "matrix work" /* outside BLAS calls, by samples */
#define CATEGORY_INTERPRETER "interpreter"
#define CATEGORY_LOCKS	     "threads/locks"
#define CATEGORY_MEMORY	     "memory"
#define CATEGORY_KERNEL	     "kernel"
#define CATEGORY_NAMELESS    "no symbols" /* in libraries that may do matrix work */
#define CATEGORY_SPINNING    "spinning"	  /* also BLAS's own threads outside BLAS code */

struct category_row;
struct idmap;

/* The table of patterns; a zeroed one is empty. */
struct categories {
	struct category_row *rows;
	size_t count;
	struct idmap *known; /* rows by object and function; runs have mostly the same */
	int missing;	     /* 1 if the table that comes with blasprof was not found */
};

/* Appends the lines of a file, in the format that analysis/report/categories.txt describes. Returns
 * 0, or -1 with *err, which names the bad line; the table is then unchanged. */
int categories_read(struct categories *categories, const char *path, struct error *err);
void categories_free(struct categories *categories);

/* The category of a function, owned by the table; CATEGORY_OTHER, or CATEGORY_BLAS for BLAS code,
 * if no pattern fits. `into` is the function into which it was inlined, or ""; it is used if no
 * pattern fits the function itself. categories may be NULL. */
const char *category_find(const struct categories *categories, const char *object,
			  enum run_code code, const char *function, const char *into);

/* The number of the run's samples in other code of the category, outside BLAS's own threads. */
double category_samples(const struct categories *categories, const struct run *run,
			const char *category);

#endif
