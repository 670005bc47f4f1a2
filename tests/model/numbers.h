/* numbers.h: random numbers that every run of a test sees alike. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_MODEL_NUMBERS_H
#define TESTS_MODEL_NUMBERS_H

#include <stdint.h>

/* xorshift64* */
static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

/* Uniform in (0, 1). */
static inline double next_uniform(uint64_t *state)
{
	return ((double)(next_random(state) >> 11) + 0.5) / 9007199254740992.0;
}

/* Nearly normal: the sum of twelve uniform numbers, with mean 0 and standard deviation 1. */
static inline double next_normal(uint64_t *state)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += next_uniform(state);
	return sum;
}

#endif
