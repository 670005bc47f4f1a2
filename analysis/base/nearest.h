/* nearest.h: which of many names a wrong one was probably meant to be. */
/* SPDX-License-Identifier: MIT */
#ifndef UTIL_NEAREST_H
#define UTIL_NEAREST_H

#include <stddef.h>

#include "base/error.h"

#define NEAREST_NAMES	   3
#define NEAREST_NAME_BYTES 128 /* longer names are cut */

/* Set `wanted`, zero the rest, and offer names. */
struct nearest {
	const char *wanted;
	int count;
	int distances[NEAREST_NAMES];
	char names[NEAREST_NAMES][NEAREST_NAME_BYTES]; /* the nearest first */
};

void nearest_offer(struct nearest *nearest, const char *name);
/* "dgemm, sgemm": what is nearest, cut at the size; "" where nothing was offered. */
void nearest_list(const struct nearest *nearest, const char *between, char *text, size_t size);

/* The row of that name, the first for NULL, of rows of so many bytes that begin with their name, a
 * const char *. NULL with *err, whose remedy has the nearest: there is no WHAT of that name. */
const void *nearest_find(const void *rows, size_t count, size_t size, const char *name,
			 const char *what, struct error *err);

#endif
