/* sizes.h: prints what a sweep over sizes found: a line for each combination of values. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_SIZES_H
#define CLI_SIZES_H

#include <stdio.h>

#include "cli/plan.h"
#include "write/table_format.h"

/* Loads the experiments (one a variant of the plan; NULL: it has none) from the store, and writes
 * the table. What cannot be said of one experiment is said on standard error. 0, or -1 with *err.
 */
int sizes_print(const struct plan *plan, char *const experiments[], const char *store,
		enum table_format format, FILE *out, struct error *err);

#endif
