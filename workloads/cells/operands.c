/* operands.c: a kernel's buffers: their elements, their memory, and the values they are filled
 * with. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cells/kernel.h"
#include "random.h"

enum { INT8_RANGE = 127, HALF_DIGITS = 10, HALF_LEAST = -14, HALF_BIAS = 15 };

/* Smaller blocks come from malloc(), which reuses memory itself. */
enum { LARGE_BYTES = 1 << 20, BLOCKS_MAX = 64 };

/* Large blocks are kept when they are given back, and reused for later operands. */
static struct block {
	void *base; /* NULL if this entry is free */
	size_t bytes;
	bool taken;
} blocks[BLOCKS_MAX];

uint64_t input_seed;

/* The values repeat after this many. It is a prime, so that no two rows of a matrix are equal. */
#define PERIOD ((size_t)1048573)

double kernel_flops(const struct kernel *kernel, struct size size)
{
	const double terms = size.m ? (double)size.m * (double)size.k : 1;

	return (double)size.n * (kernel->flops * terms + kernel->result_flops * (double)size.m);
}

double kernel_bytes(const struct kernel *kernel, struct size size)
{
	double bytes = (double)kernel->floats * sizeof(float) * (double)size.n;

	for (int i = 0; !kernel->floats && i < kernel->buffers; i++)
		bytes += (double)kernel->length(size, i) *
			 (double)element_size(kernel_element(kernel, i));
	return bytes;
}

enum element kernel_element(const struct kernel *kernel, int buffer)
{
	if (kernel->elements)
		return kernel->elements[buffer];
	return kernel->element_bytes == sizeof(double) ? ELEMENT_DOUBLE : ELEMENT_FLOAT;
}

size_t element_size(enum element element)
{
	static const size_t sizes[] = {
		[ELEMENT_FLOAT] = sizeof(float),
		[ELEMENT_DOUBLE] = sizeof(double),
		[ELEMENT_BFLOAT16] = 2,
		[ELEMENT_HALF] = 2,
		[ELEMENT_INT8] = 1,
		[ELEMENT_UINT8] = 1,
		[ELEMENT_INT32] = 4,
	};

	return sizes[element];
}

/* The upper half of a float, rounded to nearest, ties to even. */
static uint16_t bfloat16_of(double value)
{
	const float narrow = (float)value;
	uint32_t bits;

	memcpy(&bits, &narrow, sizeof(bits));
	return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static double bfloat16_value(uint16_t half)
{
	const uint32_t bits = (uint32_t)half << 16;
	float value;

	memcpy(&value, &bits, sizeof(value));
	return (double)value;
}

/* IEEE 754 binary16, rounded to nearest, ties to even. Values beyond its range become infinite. */
static uint16_t half_of(double value)
{
	const uint16_t sign = signbit(value) ? 0x8000 : 0;
	const double size = fabs(value);
	int exponent = size < ldexp(1, HALF_LEAST) ? HALF_LEAST : ilogb(size);
	/* a carry out of the digits increments the exponent, as it should */
	double digits = nearbyint(ldexp(size, HALF_DIGITS - exponent));
	double bits = digits + ((exponent - HALF_LEAST) << HALF_DIGITS);

	return (uint16_t)(sign | (bits < 0x7c00 ? (uint16_t)bits : 0x7c00));
}

static double half_value(uint16_t bits)
{
	const int exponent = bits >> HALF_DIGITS & 31, digits = bits & ((1 << HALF_DIGITS) - 1);
	const double sign = bits & 0x8000 ? -1 : 1;

	if (exponent == 31)
		return sign * (digits ? (double)NAN : HUGE_VAL);
	if (!exponent)
		return sign * ldexp(digits, HALF_LEAST - HALF_DIGITS);
	return sign * ldexp(digits + (1 << HALF_DIGITS), exponent - HALF_BIAS - HALF_DIGITS);
}

void element_store(enum element element, void *buffer, size_t index, double value)
{
	switch (element) {
	case ELEMENT_DOUBLE:
		((double *)buffer)[index] = value;
		break;
	case ELEMENT_FLOAT:
		((float *)buffer)[index] = (float)value;
		break;
	case ELEMENT_BFLOAT16:
		((uint16_t *)buffer)[index] = bfloat16_of(value);
		break;
	case ELEMENT_HALF:
		((uint16_t *)buffer)[index] = half_of(value);
		break;
	case ELEMENT_INT8:
		((int8_t *)buffer)[index] = (int8_t)nearbyint(INT8_RANGE * value);
		break;
	case ELEMENT_UINT8:
		((uint8_t *)buffer)[index] = (uint8_t)nearbyint(INT8_RANGE * fabs(value));
		break;
	case ELEMENT_INT32:
		((int32_t *)buffer)[index] = (int32_t)nearbyint(INT8_RANGE * value);
		break;
	}
}

double element_load(enum element element, const void *buffer, size_t index)
{
	switch (element) {
	case ELEMENT_DOUBLE:
		return ((const double *)buffer)[index];
	case ELEMENT_FLOAT:
		return (double)((const float *)buffer)[index];
	case ELEMENT_BFLOAT16:
		return bfloat16_value(((const uint16_t *)buffer)[index]);
	case ELEMENT_HALF:
		return half_value(((const uint16_t *)buffer)[index]);
	case ELEMENT_INT8:
		return ((const int8_t *)buffer)[index];
	case ELEMENT_UINT8:
		return ((const uint8_t *)buffer)[index];
	case ELEMENT_INT32:
		return ((const int32_t *)buffer)[index];
	}
	return 0;
}

double element_rounded(enum element element, double input)
{
	double rounded = 0;

	element_store(element, &rounded, 0, input);
	return element_load(element, &rounded, 0);
}

double input(int buffer, size_t index)
{
	uint64_t state = (input_seed << 40 ^ (uint64_t)buffer << 56) + index % PERIOD;

	/* 20 bits fit a float, so that a float and a double kernel have the same input */
	return (double)(random_next(&state) >> 44) * 0x1p-19 - 1;
}

static struct block *find_block(const void *base)
{
	for (struct block *block = blocks; block < blocks + BLOCKS_MAX; block++)
		if (block->base == base)
			return block;
	return NULL;
}

/* Takes the smallest kept block that is large enough. If there is none, gives the kept blocks back
 * to the system, since they are too small for the current operands, and allocates a new one. */
static void *block_take(size_t bytes)
{
	struct block *best = NULL;
	void *base;

	if (bytes < LARGE_BYTES)
		return aligned_alloc(CACHE_LINE_BYTES, bytes);
	for (struct block *block = blocks; block < blocks + BLOCKS_MAX; block++)
		if (block->base && !block->taken && block->bytes >= bytes &&
		    (!best || block->bytes < best->bytes))
			best = block;
	if (best) {
		best->taken = true;
		return best->base;
	}
	for (struct block *block = blocks; block < blocks + BLOCKS_MAX; block++)
		if (block->base && !block->taken) {
			free(block->base);
			block->base = NULL;
		}
	base = aligned_alloc(CACHE_LINE_BYTES, bytes);
	best = base ? find_block(NULL) : NULL;
	if (best)
		*best = (struct block){base, bytes, true};
	return base;
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
	*operands = (struct operands){.size = size};
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

void operands_fill(struct operands *operands, const struct kernel *kernel)
{
	for (int i = 0; i < kernel->buffers; i++) {
		enum element element = kernel_element(kernel, i);
		const size_t length = kernel->length(operands->size, i);
		const size_t bytes = length * element_size(element);
		const size_t period = PERIOD * element_size(element);
		char *buffer = operands->buffer[i];

		for (size_t j = 0; j < length && j < PERIOD; j++) {
			double value = input(i, j);

			if (kernel->nonnegative >> i & 1)
				value = fabs(value);
			element_store(element, buffer, j, value);
		}
		for (size_t done = period; done < bytes; done += period)
			memcpy(buffer + done, buffer,
			       bytes - done < period ? bytes - done : period);
	}
}

void operands_free(struct operands *operands, const struct kernel *kernel)
{
	for (int i = 0; i < kernel->buffers; i++) {
		char *base = operands->buffer[i];
		struct block *block;

		if (!base)
			continue;
		base -= operands->size.offset_bytes;
		block = find_block(base);
		if (block)
			block->taken = false;
		else
			free(base);
	}
	memset(operands, 0, sizeof(*operands));
}
