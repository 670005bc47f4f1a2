/* libburn.c: functions of a shared library that compute for a while. */
/* SPDX-License-Identifier: MIT */
#include "burn.h"

uint64_t burn_shared(uint64_t seed)
{
	BURN_BODY(seed);
	return seed;
}

static __attribute__((noinline)) uint64_t hidden_loop(uint64_t seed)
{
	BURN_BODY(seed);
	return seed;
}

uint64_t burn_hidden(uint64_t seed)
{
	return hidden_loop(seed) + 1;
}

uint64_t burn_called(uint64_t seed, uint64_t (*burn)(uint64_t seed))
{
	return burn(seed) + 1;
}
