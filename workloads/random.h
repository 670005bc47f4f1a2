/* random.h: small repeatable random numbers (SplitMix64: a counter through a bit mixer). */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_RANDOM_H
#define WORKLOADS_RANDOM_H

#include <stdint.h>

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* In [0, 1), 53 random bits. */
static inline double random_uniform(uint64_t *state)
{
	return (double)(random_next(state) >> 11) * 0x1p-53;
}

/* In 0 .. count - 1. */
static inline uint64_t random_below(uint64_t *state, uint64_t count)
{
	return random_next(state) % count;
}

#endif
