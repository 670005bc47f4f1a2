/* chain_fuzz.h: the first bytes of an input of chain_fuzz. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CHAIN_FUZZ_H
#define TESTS_CHAIN_FUZZ_H

#include <stdint.h>

/* The tables follow. Distances are in bytes from where they begin. */
struct chain_input {
	uint32_t index;		       /* so far on is the index */
	uint32_t distance, code_bytes; /* so far before lies so much code */
	uint32_t seed;		       /* of the stacks */
};

#endif
