/* sizes.c: the table of tables, and the sizes that several of them share. */
/* SPDX-License-Identifier: MIT */
#include "cells/kernel.h"

const struct kernel *const kernel_tables[] = {
	peak_kernels,
	copy_kernels,
	product_kernels,
	elementwise_kernels,
	reduction_kernels,
	activation_kernels,
	optimizer_kernels,
	fusion_kernels,
	overhead_kernels,
	port_kernels,
	NULL,
};

#define ELEMENTS(count)                                                                            \
	{                                                                                          \
		.n = (count)                                                                       \
	}
enum { KI = 1024, MI = 1024 * 1024 };

const struct size vector_sizes[] = {
	ELEMENTS(1 * KI), ELEMENTS(16 * KI), ELEMENTS(256 * KI),
	ELEMENTS(4 * MI), ELEMENTS(64 * MI), {0},
};
const struct size cache_sizes[] = {
	ELEMENTS(1 * KI),   ELEMENTS(4 * KI),
	ELEMENTS(16 * KI),  ELEMENTS(64 * KI),
	ELEMENTS(256 * KI), ELEMENTS(1 * MI),
	ELEMENTS(4 * MI),   ELEMENTS(16 * MI),
	ELEMENTS(64 * MI),  {0},
};
const struct size one_size[] = {{.m = 1, .n = 1, .k = 1}, {0}};

size_t vector_length(struct size size, int buffer)
{
	return (size_t)size.n;
}
