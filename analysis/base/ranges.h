/* ranges.h: parses lists of whole numbers: "1,2,4", "1-8", "1..16:x2". */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_RANGES_H
#define BASE_RANGES_H

#include <stddef.h>

#include "base/error.h"

#define RANGES_VALUE_MAX 65536 /* the largest number allowed */
#define RANGES_COUNT_MAX 4096  /* the most numbers in a list */

/* The syntax, for help texts. */
#define RANGES_SYNTAX	 "like 1,2,4 or 1-8 or 1..16:x2"

/* Parses numbers from 1 to RANGES_VALUE_MAX. Items are separated by commas. An item is a number or
 * a range, "A-B" or "A..B" with A <= B. Its step is 1, or S for "A-B:S"; "A-B:xS" multiplies by S
 * instead, up to the last number that is not above B. Numbers keep their order; repeated ones are
 * dropped.
 *
 * Returns 0 with a fresh array of at least one number, or -1 with *err set, *values NULL and
 * *count 0. */
int ranges_parse(const char *text, int **values, size_t *count, struct error *err);

#endif
