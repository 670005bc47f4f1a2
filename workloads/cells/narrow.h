/* narrow.h: products of numbers of 8 and 16 bits, by routines that not every BLAS library has. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_NARROW_H
#define CELLS_NARROW_H

#include "cells/kernel.h"

/* One set for each routine; missing() says in a word of the reader's that the library lacks it. */
#define NARROW_PRODUCT(name)                                                                       \
	extern const enum element name##_elements[];                                               \
	void run_##name(struct operands *operands);                                                \
	struct expected name##_twin(struct size size, size_t index);                               \
	double name##_bytes(struct size size);                                                     \
	const char *name##_missing(void);

NARROW_PRODUCT(sbgemm)
NARROW_PRODUCT(hgemm)
NARROW_PRODUCT(s8u8s32)

#undef NARROW_PRODUCT

#endif
