/* nearest.h: finds the names that are most similar to a misspelt one. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

#include "base/error.h"

#define NEAREST_NAMES	   3
#define NEAREST_NAME_BYTES 128 /* longer names are cut */

/* Set `wanted`, zero the rest, and offer the names that exist. */
struct nearest {
	const char *wanted;
	int count;
	int distances[NEAREST_NAMES];
	char names[NEAREST_NAMES][NEAREST_NAME_BYTES]; /* the most similar first */
	char all[300];				       /* all that were offered, if they fit */
};

void nearest_offer(struct nearest *nearest, const char *name);
/* Writes the most similar names, like "dgemm, sgemm", cut to fit; "" if none was offered. */
void nearest_list(const struct nearest *nearest, const char *between, char *text, size_t size);
/* If none is similar, but there are few, returns all names, like "a, b, c"; otherwise NULL. */
const char *nearest_all(const struct nearest *nearest);

/* Finds the row of that name, or the first row if name is NULL. Rows have `size` bytes and begin
 * with their name, a const char *. Returns NULL with *err "there is no WHAT 'NAME'" and the most
 * similar names, or all, as its remedy. */
const void *nearest_find(const void *rows, size_t count, size_t size, const char *name,
			 const char *what, struct error *err);

#endif
