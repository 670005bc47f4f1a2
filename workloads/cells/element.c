/* element.c: kinds of elements: what a number becomes in a buffer of them, and back. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "cells/kernel.h"

enum { INT8_RANGE = 127, HALF_DIGITS = 10, HALF_LEAST = -14, HALF_BIAS = 15 };

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

/* IEEE 754 binary16, ties to even; what is larger than its range becomes infinite. */
static uint16_t half_of(double value)
{
	const uint16_t sign = signbit(value) ? 0x8000 : 0;
	const double size = fabs(value);
	int exponent = size < ldexp(1, HALF_LEAST) ? HALF_LEAST : ilogb(size);
	/* a carry out of the digits counts the exponent up, as it should */
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

double element_rounded(enum element element, double input)
{
	switch (element) {
	case ELEMENT_DOUBLE:
		return input;
	case ELEMENT_FLOAT:
		return (double)(float)input;
	case ELEMENT_BFLOAT16:
		return bfloat16_value(bfloat16_of(input));
	case ELEMENT_HALF:
		return half_value(half_of(input));
	case ELEMENT_INT8:
	case ELEMENT_INT32:
		return nearbyint(INT8_RANGE * input);
	case ELEMENT_UINT8:
		return nearbyint(INT8_RANGE * fabs(input));
	}
	return 0;
}

void element_store(enum element element, void *buffer, size_t index, double input)
{
	const double value = element_rounded(element, input);

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
		((int8_t *)buffer)[index] = (int8_t)value;
		break;
	case ELEMENT_UINT8:
		((uint8_t *)buffer)[index] = (uint8_t)value;
		break;
	case ELEMENT_INT32:
		((int32_t *)buffer)[index] = (int32_t)value;
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
