/* array.c: arrays that grow by one row at a time, and the merging of equal rows. */
/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

void *array_add(void *rows, size_t *count, size_t size)
{
	/* The capacity grows by a quarter of the last power of two, whenever the count is a
	 * multiple of that. */
	size_t step = *count < 8 ? 1 : (size_t)1 << (61 - __builtin_clzll(*count));
	char *array;

	memcpy(&array, rows, sizeof array);
	if (*count % step == 0) {
		array = reallocarray(array, *count + step, size);
		if (!array)
			return NULL;
		memcpy(rows, &array, sizeof array);
	}
	return memset(array + size * (*count)++, 0, size);
}

void array_free(void *rows, size_t *count)
{
	void *array;

	memcpy(&array, rows, sizeof array);
	free(array);
	memset(rows, 0, sizeof array);
	*count = 0;
}

int array_append(void *rows, size_t *count, size_t size, const void *row)
{
	void *added = array_add(rows, count, size);

	if (!added)
		return -1;
	memcpy(added, row, size);
	return 0;
}

size_t array_merge(void *rows, size_t count, size_t size,
		   int (*compare)(const void *left, const void *right, void *context),
		   void (*add)(void *into, const void *row), void *context)
{
	char *last = rows, *row = rows;

	if (!count)
		return 0;
	qsort_r(rows, count, size, compare, context);
	for (size_t i = 1; i < count; i++) {
		row += size;
		if (!compare(last, row, context))
			add(last, row);
		else if ((last += size) != row)
			memcpy(last, row, size);
	}
	return (size_t)(last - (char *)rows) / size + 1;
}
