/* array.c: arrays that grow by one row at a time. */
/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* Capacities are the powers of two, so that the count alone tells when to grow. */
void *array_add(void *rows, size_t *count, size_t size)
{
	char *array;

	memcpy(&array, rows, sizeof array);
	if (!(*count & (*count - 1))) {
		array = reallocarray(array, *count ? *count * 2 : 1, size);
		if (!array)
			return NULL;
		memcpy(rows, &array, sizeof array);
	}
	return memset(array + size * (*count)++, 0, size);
}
