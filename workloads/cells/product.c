/* product.c: matrix products: square, beside multiples of 32, unaligned, tall and skinny, the
 * workload's. */
/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include <cblas.h>

#include "cells/kernel.h"
#include "cells/narrow.h"
#include "cells/twins.h"

/* c [m, n] = a [m, k] b [k, n], all row-major without gaps. */
enum { A, B, C };

#define CUBE(x)                                                                                    \
	{                                                                                          \
		(x), (x), (x), 0                                                                   \
	}
#define CUBE_AND_BESIDE(x) CUBE((x)-1), CUBE(x), CUBE((x) + 1)
#define CUBE_UNALIGNED(x)                                                                          \
	{                                                                                          \
		(x), (x), (x), 4                                                                   \
	}
#define CUBE_UNALIGNED_8(x)                                                                        \
	{                                                                                          \
		(x), (x), (x), 8                                                                   \
	}

static const struct size single_sizes[] = {
	CUBE(16),
	CUBE_AND_BESIDE(32),
	CUBE_AND_BESIDE(64),
	CUBE_AND_BESIDE(128),
	CUBE_AND_BESIDE(256),
	CUBE_AND_BESIDE(512),
	CUBE(1024),
	CUBE(2048),
	CUBE(4096),
	CUBE_UNALIGNED(64),
	CUBE_UNALIGNED(256),
	CUBE_UNALIGNED(1024),
	/* the workload's: a token in a row */
	{64, 128, 64, 0},
	{64, 64, 128, 0},
	{128, 64, 64, 0},
	{64, 29, 64, 0},
	/* tall and skinny */
	{16384, 16, 64, 0},
	{16, 16384, 64, 0},
	{64, 64, 16384, 0},
	{16384, 16, 16, 0},
	{0},
};
static const struct size double_sizes[] = {
	CUBE(16),	    CUBE(32),		CUBE(64),   CUBE(128),	CUBE(256),
	CUBE(512),	    CUBE(1024),		CUBE(2048), CUBE(4096), CUBE_UNALIGNED_8(256),
	{16384, 16, 64, 0}, {64, 64, 16384, 0}, {0},
};

static const struct size narrow_sizes[] = {
	CUBE(64), CUBE(256), CUBE(1024), {64, 128, 64, 0}, {64, 64, 16384, 0}, {0},
};
static const enum element single_elements[] = {ELEMENT_FLOAT, ELEMENT_FLOAT, ELEMENT_FLOAT};
static const enum element double_elements[] = {ELEMENT_DOUBLE, ELEMENT_DOUBLE, ELEMENT_DOUBLE};

static size_t product_length(struct size size, int buffer)
{
	const long lengths[] = {size.m * size.k, size.k * size.n, size.m * size.n};

	return (size_t)lengths[buffer];
}

static double product_flops(struct size size)
{
	return 2.0 * (double)size.m * (double)size.n * (double)size.k;
}

double product_bytes(struct size size, const enum element *elements)
{
	double bytes = 0;

	for (int i = A; i <= C; i++)
		bytes += (double)product_length(size, i) * (double)element_size(elements[i]);
	return bytes;
}

static double single_bytes(struct size size)
{
	return product_bytes(size, single_elements);
}

static double double_bytes(struct size size)
{
	return product_bytes(size, double_elements);
}

static void run_sgemm(struct operands *o)
{
	const int m = (int)o->size.m, n = (int)o->size.n, k = (int)o->size.k;

	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, o->buffer[A], k,
		    o->buffer[B], n, 0, o->buffer[C], n);
}

static void run_dgemm(struct operands *o)
{
	const int m = (int)o->size.m, n = (int)o->size.n, k = (int)o->size.k;

	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, o->buffer[A], k,
		    o->buffer[B], n, 0, o->buffer[C], n);
}

/* A sum of k products in any order errs by at most k eps times the sum of their sizes (Higham,
 * "Accuracy and stability of numerical algorithms", 2002, section 3.1); the twin itself too. */
struct expected product_of(struct size size, size_t index, const enum element *elements,
			   double epsilon)
{
	const size_t row = index / (size_t)size.n, column = index % (size_t)size.n;
	double sum = 0, magnitude = 0;

	for (long i = 0; i < size.k; i++) {
		double term =
			element_rounded(elements[A], input(A, row * (size_t)size.k + (size_t)i)) *
			element_rounded(elements[B], input(B, (size_t)i * (size_t)size.n + column));

		sum += term;
		magnitude += fabs(term);
	}
	return (struct expected){sum, (double)(size.k + 1) * (epsilon + DBL_EPSILON) * magnitude};
}

struct expected single_product(struct size size, size_t index)
{
	return product_of(size, index, single_elements, FLT_EPSILON);
}

static struct expected double_twin(struct size size, size_t index)
{
	return product_of(size, index, double_elements, DBL_EPSILON);
}

/* By a routine that the library may lack. */
#define NARROW(routine, name, bytes)                                                               \
	{                                                                                          \
		"product", routine, bytes, 3, C, product_length, product_flops, name##_bytes,      \
			run_##name, name##_twin, narrow_sizes, name##_missing,                     \
			.elements = name##_elements, .multiple = 1                                 \
	}

const struct kernel product_kernels[] = {
	{"product", "cblas_sgemm", 4, 3, C, product_length, product_flops, single_bytes, run_sgemm,
	 single_product, single_sizes, .multiple = 1},
	{"product", "cblas_dgemm", 8, 3, C, product_length, product_flops, double_bytes, run_dgemm,
	 double_twin, double_sizes, .multiple = 1},
	NARROW("cblas_sbgemm", sbgemm, 2),
	NARROW("cblas_hgemm", hgemm, 2),
	NARROW("cblas_gemm_s8u8s32", s8u8s32, 1),
	{0},
};
