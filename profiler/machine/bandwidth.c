/* bandwidth.c: passes over memory: read alone, copy, and the triad of the STREAM benchmark. */
/* SPDX-License-Identifier: MIT */
#include "machine/kernels.h"

/* The widest vectors are a matter of the CPU, not of the loop: one clone for each, chosen by the
 * loader. */
#ifdef __x86_64__
#define WIDTHS __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define WIDTHS
#endif

typedef long vector __attribute__((vector_size(64)));
#define VECTOR_DOUBLES 8

static _Thread_local volatile long kept;

/* Four chains of cheap operations, so that the loads alone take time. */
WIDTHS static double run_read(double *memory, size_t count)
{
	const vector *from = (const vector *)memory;
	vector a = {0}, b = {0}, c = {0}, d = {0};

	for (size_t i = 0; i < count / VECTOR_DOUBLES; i += 4) {
		a ^= from[i];
		b ^= from[i + 1];
		c ^= from[i + 2];
		d ^= from[i + 3];
	}
	a ^= b ^ c ^ d;
	kept = a[0] ^ a[1] ^ a[2] ^ a[3] ^ a[4] ^ a[5] ^ a[6] ^ a[7];
	return (double)count * sizeof *memory;
}

/* The barrier keeps the compiler from making a call of memcpy() of it. */
WIDTHS static double run_copy(double *memory, size_t count)
{
	const vector *from = (const vector *)memory;
	vector *to = (vector *)(memory + count);

	for (size_t i = 0; i < count / VECTOR_DOUBLES; i += 2) {
		to[i] = from[i];
		to[i + 1] = from[i + 1];
		__asm__ volatile("" ::: "memory");
	}
	return 2.0 * (double)count * sizeof *memory;
}

WIDTHS static double run_triad(double *memory, size_t count)
{
	typedef double numbers __attribute__((vector_size(64)));
	const numbers *left = (const numbers *)memory, *right = (const numbers *)(memory + count);
	numbers *to = (numbers *)(memory + 2 * count);

	for (size_t i = 0; i < count / VECTOR_DOUBLES; i += 2) {
		to[i] = left[i] + 3.0 * right[i];
		to[i + 1] = left[i + 1] + 3.0 * right[i + 1];
	}
	return 3.0 * (double)count * sizeof *memory;
}

const struct bandwidth_kernel bandwidth_kernels[] = {
	{"read", 1, run_read},
	{"copy", 2, run_copy},
	{"triad", 3, run_triad},
};
const size_t bandwidth_kernels_count = sizeof bandwidth_kernels / sizeof *bandwidth_kernels;
