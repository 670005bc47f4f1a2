/* array.h: arrays that grow by one row at a time. */
/* SPDX-License-Identifier: MIT */
#ifndef UTIL_ARRAY_H
#define UTIL_ARRAY_H

#include <stddef.h>

/* Adds one row of zero bytes to the array that the pointer at `rows` points to (`rows` is the
 * address of a pointer to some struct) and counts it. Returns the row, valid until the next
 * addition; NULL when memory is out, and then nothing has changed. The caller frees the array. An
 * array that is only ever grown this way needs no record of its capacity. */
void *array_add(void *rows, size_t *count, size_t size);

#endif
