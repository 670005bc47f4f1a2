/* product.c: matrix products: square, near multiples of 32, unaligned, tall and skinny, as in the
 * training program; and of numbers of 8 and 16 bits, by routines that not every BLAS library has.
 */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <cblas.h>

#include "cells/kernel.h"

/* c [m, n] = a [m, k] b [k, n], all row-major without gaps. */
enum { A, B, C };

#define HALF_EPSILON 0x1p-10
#define HALF_LEAST   0x1p-24
enum { HALF_ONE = 0x3c00, FIX_OFFSET = 173 };

#define CUBE(x) .m = (x), .n = (x), .k = (x)
#define CUBE_AND_NEAR(x)                                                                           \
	{CUBE((x)-1)}, {CUBE(x)},                                                                  \
	{                                                                                          \
		CUBE((x) + 1)                                                                      \
	}

static const struct size single_sizes[] = {
	{CUBE(16)},
	CUBE_AND_NEAR(32),
	CUBE_AND_NEAR(64),
	CUBE_AND_NEAR(128),
	CUBE_AND_NEAR(256),
	CUBE_AND_NEAR(512),
	{CUBE(1024)},
	{CUBE(2048)},
	{CUBE(4096)},
	{CUBE(64), 4},
	{CUBE(256), 4},
	{CUBE(1024), 4},
	/* the training program's: a token in each row */
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
	{CUBE(16)},	    {CUBE(32)},		{CUBE(64)},   {CUBE(128)},  {CUBE(256)},
	{CUBE(512)},	    {CUBE(1024)},	{CUBE(2048)}, {CUBE(4096)}, {CUBE(256), 8},
	{16384, 16, 64, 0}, {64, 64, 16384, 0}, {0},
};
static const struct size narrow_sizes[] = {
	{CUBE(64)}, {CUBE(256)}, {CUBE(1024)}, {64, 128, 64, 0}, {64, 64, 16384, 0}, {0},
};

static const enum element sgemm_elements[] = {ELEMENT_FLOAT, ELEMENT_FLOAT, ELEMENT_FLOAT};
static const enum element dgemm_elements[] = {ELEMENT_DOUBLE, ELEMENT_DOUBLE, ELEMENT_DOUBLE};
static const enum element sbgemm_elements[] = {ELEMENT_BFLOAT16, ELEMENT_BFLOAT16, ELEMENT_FLOAT};
static const enum element hgemm_elements[] = {ELEMENT_HALF, ELEMENT_HALF, ELEMENT_HALF};
static const enum element s8u8s32_elements[] = {ELEMENT_UINT8, ELEMENT_INT8, ELEMENT_INT32};

typedef void sbgemm_call(int order, int transa, int transb, int m, int n, int k, float alpha,
			 const uint16_t *a, int lda, const uint16_t *b, int ldb, float beta,
			 float *c, int ldc);
typedef void hgemm_call(int order, int transa, int transb, int m, int n, int k, uint16_t alpha,
			const uint16_t *a, int lda, const uint16_t *b, int ldb, uint16_t beta,
			uint16_t *c, int ldc);
typedef void s8u8s32_call(int order, int transa, int transb, int offset, int m, int n, int k,
			  float alpha, const int8_t *a, int lda, int8_t a_offset, const uint8_t *b,
			  int ldb, int8_t b_offset, float beta, int32_t *c, int ldc,
			  const int32_t *c_offset);

/* Sets *call to the routine in the library that provides cblas_sgemm, and not in another loaded
 * library, whose cells would have the wrong name. Returns `missing` if that library lacks it, else
 * NULL. */
static const char *find_routine(const char *name, void *call, const char *missing)
{
	void *symbol = dlsym(RTLD_DEFAULT, name), *sgemm = dlsym(RTLD_DEFAULT, "cblas_sgemm");
	Dl_info where, where_sgemm;

	if (!symbol || !sgemm || !dladdr(symbol, &where) || !dladdr(sgemm, &where_sgemm) ||
	    strcmp(where.dli_fname, where_sgemm.dli_fname) != 0)
		return missing;
	memcpy(call, &symbol, sizeof(symbol));
	return NULL;
}

#define ROUTINE(short_name, symbol)                                                                \
	static short_name##_call *short_name;                                                      \
	static const char *short_name##_missing(void)                                              \
	{                                                                                          \
		return find_routine(symbol, &short_name, "this BLAS has no " symbol);              \
	}
ROUTINE(sbgemm, "cblas_sbgemm")
ROUTINE(hgemm, "cblas_hgemm")
ROUTINE(s8u8s32, "cblas_gemm_s8u8s32")

#define RUN(name, call, one)                                                                       \
	static void run_##name(struct operands *o)                                                 \
	{                                                                                          \
		const int m = (int)o->size.m, n = (int)o->size.n, k = (int)o->size.k;              \
                                                                                                   \
		call(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, one, o->buffer[A], k,     \
		     o->buffer[B], n, 0, o->buffer[C], n);                                         \
	}
RUN(sgemm, cblas_sgemm, 1)
RUN(dgemm, cblas_dgemm, 1)
RUN(sbgemm, sbgemm, 1)
RUN(hgemm, hgemm, HALF_ONE)

/* Calls the routine column-major, for the transposed product: which operand is signed depends on
 * the order, and in column-major order it is the first, as the name says. */
static void run_s8u8s32(struct operands *o)
{
	const int m = (int)o->size.m, n = (int)o->size.n, k = (int)o->size.k;
	static const int32_t no_offset;

	s8u8s32(CblasColMajor, CblasNoTrans, CblasNoTrans, FIX_OFFSET, n, m, k, 1, o->buffer[B], n,
		0, o->buffer[A], k, 0, 0, o->buffer[C], n, &no_offset);
}

static size_t product_length(struct size size, int buffer)
{
	const long lengths[] = {size.m * size.k, size.k * size.n, size.m * size.n};

	return (size_t)lengths[buffer];
}

/* A sum of k products in any order has an error of at most k eps times the sum of their absolute
 * values (Higham, "Accuracy and stability of numerical algorithms", 2002, section 3.1). The twin
 * has such an error, too. */
static struct expected product_of(struct size size, size_t index, const enum element *elements,
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
	return product_of(size, index, sgemm_elements, FLT_EPSILON);
}

static struct expected dgemm_twin(struct size size, size_t index)
{
	return product_of(size, index, dgemm_elements, DBL_EPSILON);
}

/* A product of two bfloat16 numbers is exact in single precision, in which they are summed. */
static struct expected sbgemm_twin(struct size size, size_t index)
{
	return product_of(size, index, sbgemm_elements, FLT_EPSILON);
}

/* At worst the sum is in half precision, too. The result is rounded to half precision. */
static struct expected hgemm_twin(struct size size, size_t index)
{
	struct expected expected = product_of(size, index, hgemm_elements, HALF_EPSILON);

	expected.bound += HALF_LEAST * (double)size.k;
	return expected;
}

/* Integers below 2^31 are exact. */
static struct expected s8u8s32_twin(struct size size, size_t index)
{
	return (struct expected){product_of(size, index, s8u8s32_elements, 0).value, 0};
}

#define PRODUCT(routine, name, bytes, twin, ...)                                                   \
	{                                                                                          \
		"product", routine, bytes, 3, C, product_length, 2, 0, run_##name, twin,           \
			__VA_ARGS__, .elements = name##_elements                                   \
	}

const struct kernel product_kernels[] = {
	PRODUCT("cblas_sgemm", sgemm, 4, single_product, single_sizes, 1),
	PRODUCT("cblas_dgemm", dgemm, 8, dgemm_twin, double_sizes, 1),
	PRODUCT("cblas_sbgemm", sbgemm, 2, sbgemm_twin, narrow_sizes, 1, sbgemm_missing),
	PRODUCT("cblas_hgemm", hgemm, 2, hgemm_twin, narrow_sizes, 1, hgemm_missing),
	PRODUCT("cblas_gemm_s8u8s32", s8u8s32, 1, s8u8s32_twin, narrow_sizes, 1, s8u8s32_missing),
	{0},
};
