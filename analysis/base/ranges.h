/* ranges.h: reads lists of whole numbers as users write them: "1,2,4", "1-8", "1..16:x2". */
/* SPDX-License-Identifier: MIT */
#ifndef UTIL_RANGES_H
#define UTIL_RANGES_H

#include <stddef.h>

#include "base/error.h"

#define RANGES_VALUE_MAX 65536 /* the largest number there can be */
#define RANGES_COUNT_MAX 4096  /* how many there can be in all */

/* How the text may look, for help texts. */
#define RANGES_SYNTAX	 "like 1,2,4 or 1-8 or 1..16:x2"

/* Reads numbers from 1 to RANGES_VALUE_MAX. Items are separated by commas: a number, or a range
 * "A-B" or "A..B" with A <= B, by steps of 1, of S for "A-B:S", or each S times the one before for
 * "A-B:xS" (which ends at the last that is not above B). A number that is there already is not
 * taken again; the others keep the order in which they were written.
 *
 * Returns 0 with a fresh array of at least one number, to be freed; -1 with *err, *values NULL and
 * *count 0. */
int ranges_parse(const char *text, int **values, size_t *count, struct error *err);

#endif
