/* check.h: compares what a kernel computed with its naive twin. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_CHECK_H
#define CELLS_CHECK_H

#include <stdint.h>

#include "cells/kernel.h"

struct check {
	size_t length;	   /* elements of the result */
	size_t compared;   /* of them: all, or some spread over all of it, both ends among them */
	size_t wrong;	   /* of those, beyond their bound */
	size_t first;	   /* index of the first wrong one ... */
	double value;	   /* ... what it is */
	double expected;   /* ... and what it should be */
	uint64_t checksum; /* FNV-1a over the 32-bit words of the whole result */
};

/* For operands that were filled, and that the kernel then ran on once. */
struct check check_result(const struct kernel *kernel, const struct operands *operands);

#endif
