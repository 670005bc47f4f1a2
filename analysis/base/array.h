/* array.h: arrays that grow by one row at a time, and the merging of equal rows. */
/* SPDX-License-Identifier: MIT */
#ifndef UTIL_ARRAY_H
#define UTIL_ARRAY_H

#include <stddef.h>

/* Adds one row of zero bytes to the array that the pointer at `rows` points to (`rows` is the
 * address of a pointer to some struct) and counts it. Returns the row, valid until the next
 * addition; NULL when memory is out, and then nothing has changed. The caller frees the array. An
 * array that is only ever grown this way needs no record of its capacity. */
void *array_add(void *rows, size_t *count, size_t size);

/* Adds this row to the array likewise. 0, or -1 when memory is out. */
int array_append(void *rows, size_t *count, size_t size, const void *row);

/* The index, below or at `count`, where `before` (an expression in `i`) stops to hold, by
 * bisection.
 */
#define ARRAY_BOUND(count, i, before)                                                              \
	({                                                                                         \
		size_t low_ = 0, high_ = (count);                                                  \
		while (low_ < high_) {                                                             \
			size_t i = low_ + (high_ - low_) / 2;                                      \
			if (before)                                                                \
				low_ = i + 1;                                                      \
			else                                                                       \
				high_ = i;                                                         \
		}                                                                                  \
		low_;                                                                              \
	})

/* The elements of an array. */
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Each row of an array of so many, in turn: EACH_ROW(run, runs, nruns) ... */
#define EACH_ROW(row, rows, count)                                                                 \
	for (typeof(&*(rows)) row = (rows), row##_end = (count) ? row + (count) : row;             \
	     row < row##_end; row++)

/* -1, 0 or 1. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))
/* Defines a static function of this name for qsort() and bsearch(): the order of two elements *a
 * and *b of the type, as in: COMPARE(compare_rows, struct row, ORDER(a->key, b->key)) */
#define COMPARE(name, type, order)                                                                 \
	static int name(const void *left, const void *right)                                       \
	{                                                                                          \
		const type *a = left;                                                              \
		const type *b = right;                                                             \
                                                                                                   \
		return order;                                                                      \
	}

/* Sorts the rows, and merges neighbours that compare as equal: add(first, other). Among equals the
 * order is that of compare() alone. Returns how many rows are left at the start of the array. */
size_t array_merge(void *rows, size_t count, size_t size,
		   int (*compare)(const void *left, const void *right, void *context),
		   void (*add)(void *into, const void *row), void *context);

#endif
