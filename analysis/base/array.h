/* array.h: arrays that grow by one row at a time, and the merging of equal rows. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

/* Adds one zeroed row to an array and increments its count. `rows` is the address of the pointer
 * to the first row. Returns the new row, valid until the next addition, or NULL if memory is out;
 * then nothing has changed. The caller frees the array. The capacity follows from the count, so
 * add rows only with this function. */
void *array_add(void *rows, size_t *count, size_t size);

/* Frees the rows, and makes the array empty. */
void array_free(void *rows, size_t *count);

/* Appends a copy of the row. Returns 0, or -1 if memory is out. */
int array_append(void *rows, size_t *count, size_t size, const void *row);

/* Bisects: returns the first index for which `before`, an expression in `i`, is false, or `count`
 * if there is none. */
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

/* Number of elements of an array. */
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Iterates over the rows of an array: EACH_ROW(run, runs, nruns) ... */
#define EACH_ROW(row, rows, count)                                                                 \
	for (typeof(&*(rows)) row = (rows), row##_end = (count) ? row + (count) : row;             \
	     row < row##_end; row++)

/* Compares two numbers: -1, 0 or 1. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))
/* Defines a static comparison function for qsort() and bsearch(). `order` compares the elements
 * *a and *b, as in: COMPARE(compare_rows, struct row, ORDER(a->key, b->key)) */
#define COMPARE(name, type, order)                                                                 \
	static int name(const void *left, const void *right)                                       \
	{                                                                                          \
		const type *a = left;                                                              \
		const type *b = right;                                                             \
                                                                                                   \
		return order;                                                                      \
	}

/* qsort() for rows that may be none, and then NULL. */
#define SORT(rows, count, compare)                                                                 \
	((count) ? qsort((rows), (count), sizeof *(rows), (compare)) : (void)0)

/* Sorts the rows and merges equal ones by add(first, other). The sort is not stable. Returns the
 * number of rows that are left at the start of the array. */
size_t array_merge(void *rows, size_t count, size_t size,
		   int (*compare)(const void *left, const void *right, void *context),
		   void (*add)(void *into, const void *row), void *context);

#endif
