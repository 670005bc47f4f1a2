/* operands.c: buffers of a kernel, and what they are filled with. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cells/blocks.h"
#include "cells/kernel.h"
#include "random.h"

uint64_t input_seed;

/* The values come again after so many: a prime, so that no rows of a matrix are alike. */
#define PERIOD ((size_t)1048573)

double input(int buffer, size_t index)
{
	uint64_t state = (input_seed << 40 ^ (uint64_t)buffer << 56) + index % PERIOD;

	/* 20 bits: exact as a float, so that a float and a double kernel have the same input */
	return (double)(random_next(&state) >> 44) * 0x1p-19 - 1;
}

static size_t buffer_bytes(const struct kernel *kernel, struct size size, int buffer)
{
	size_t bytes = kernel->length(size, buffer) * element_size(kernel_element(kernel, buffer)) +
		       (size_t)size.offset_bytes;

	return (bytes + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
}

double operands_bytes(const struct kernel *kernel, struct size size)
{
	double bytes = 0;

	for (int i = 0; i < kernel->buffers; i++)
		bytes += (double)buffer_bytes(kernel, size, i);
	return bytes;
}

int operands_alloc(struct operands *operands, const struct kernel *kernel, struct size size)
{
	memset(operands, 0, sizeof(*operands));
	operands->size = size;
	for (int i = 0; i < kernel->buffers; i++) {
		char *base = block_take(buffer_bytes(kernel, size, i));

		if (!base) {
			operands_free(operands, kernel);
			return -1;
		}
		operands->buffer[i] = base + size.offset_bytes;
	}
	return 0;
}

/* Copies the first period, which is filled, over the rest. */
static void repeat(char *bytes, size_t length, size_t element_bytes)
{
	const size_t period = PERIOD * element_bytes;

	length *= element_bytes;
	for (size_t done = period; done < length; done += period)
		memcpy(bytes + done, bytes, length - done < period ? length - done : period);
}

void operands_fill(struct operands *operands, const struct kernel *kernel)
{
	for (int i = 0; i < kernel->buffers; i++) {
		size_t length = kernel->length(operands->size, i);
		enum element element = kernel_element(kernel, i);

		for (size_t j = 0; j < length && j < PERIOD; j++) {
			double value = input(i, j);

			if (kernel->nonnegative >> i & 1)
				value = fabs(value);
			element_store(element, operands->buffer[i], j, value);
		}
		repeat(operands->buffer[i], length, element_size(element));
	}
}

void operands_free(struct operands *operands, const struct kernel *kernel)
{
	for (int i = 0; i < kernel->buffers; i++)
		if (operands->buffer[i])
			block_give((char *)operands->buffer[i] - operands->size.offset_bytes);
	memset(operands, 0, sizeof(*operands));
}
