/* check.c: compares what a kernel computed with its naive twin. */
/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "cells/check.h"

enum { COMPARED_MAX = 1024 };

static double element(const struct kernel *kernel, const struct operands *operands, size_t index)
{
	const void *result = operands->buffer[kernel->result];

	if (kernel->element_bytes == sizeof(double))
		return ((const double *)result)[index];
	return (double)((const float *)result)[index];
}

static uint64_t words_checksum(const uint32_t *words, size_t count)
{
	uint64_t sum = 0xcbf29ce484222325u;

	for (size_t i = 0; i < count; i++)
		sum = (sum ^ words[i]) * 0x100000001b3u;
	return sum;
}

static void compare_element(const struct kernel *kernel, const struct operands *operands,
			    size_t index, struct check *check)
{
	struct expected expected = kernel->twin(operands->size, index);
	double value = element(kernel, operands, index);

	check->compared++;
	if (fabs(value - expected.value) <= expected.bound)
		return;
	if (!check->wrong++) {
		check->first = index;
		check->value = value;
		check->expected = expected.value;
	}
}

struct check check_result(const struct kernel *kernel, const struct operands *operands)
{
	struct check check = {.length = kernel->length(operands->size, kernel->result)};
	size_t count = check.length < COMPARED_MAX ? check.length : COMPARED_MAX;

	/* rounding falls on other rows and columns each time, and on the last element last */
	for (size_t i = 0; i < count; i++)
		compare_element(kernel, operands,
				count == 1 ? 0
					   : (size_t)((double)i * (double)(check.length - 1) /
						      (double)(count - 1)),
				&check);
	check.checksum =
		words_checksum(operands->buffer[kernel->result],
			       check.length * (size_t)kernel->element_bytes / sizeof(uint32_t));
	return check;
}
