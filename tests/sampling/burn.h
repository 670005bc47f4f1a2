/* burn.h: the functions of the library of burn. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SAMPLING_BURN_H
#define TESTS_SAMPLING_BURN_H

#include <stdint.h>

/* Each computes for some 50 us; a static function of the library does it for burn_hidden(). */
uint64_t burn_shared(uint64_t seed);
uint64_t burn_hidden(uint64_t seed);
/* Calls a function of the program. */
uint64_t burn_called(uint64_t seed, uint64_t (*burn)(uint64_t seed));

/* The loop of every function that the profile must show. */
#define BURN_BODY(seed)                                                                            \
	for (int i = 0; i < 20000; i++)                                                            \
		(seed) = ((seed) ^ ((seed) >> 29)) * 0x9e3779b97f4a7c15u + 1;

#endif
