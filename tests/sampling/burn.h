/* burn.h: what the library of the sampler's test program offers. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_BURN_H
#define TESTS_BURN_H

#include <stdint.h>

/* Each computes for some 50 us. In burn_hidden() a static function of the library does it. */
uint64_t burn_shared(uint64_t seed);
uint64_t burn_hidden(uint64_t seed);

/* The loop, in every function that is to be seen in the profile. */
#define BURN_BODY(seed)                                                                            \
	for (int i = 0; i < 20000; i++)                                                            \
		(seed) = ((seed) ^ ((seed) >> 29)) * 0x9e3779b97f4a7c15u + 1;

#endif
