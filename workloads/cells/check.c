/* check.c: compares what a kernel computed with its naive twin. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "cells/check.h"

enum { COMPARED_MAX = 1024 };

static double element(const struct kernel *kernel, const struct operands *operands, size_t index)
{
	return element_load(kernel_element(kernel, kernel->result),
			    operands->buffer[kernel->result], index);
}

/* Two elements of two bytes are a word; one that is left over is a word with zeros. */
static uint64_t words_checksum(const void *result, size_t bytes)
{
	const char *from = result, *end = from + bytes;
	uint64_t sum = 0xcbf29ce484222325u;

	while (from < end) {
		size_t step = (size_t)(end - from);
		uint32_t word = 0;

		if (step > sizeof(word))
			step = sizeof(word);
		memcpy(&word, from, step);
		sum = (sum ^ word) * 0x100000001b3u;
		from += step;
	}
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
			       check.length * element_size(kernel_element(kernel, kernel->result)));
	return check;
}
