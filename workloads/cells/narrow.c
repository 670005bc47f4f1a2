/* narrow.c: products of numbers of 8 and 16 bits, by routines that not every BLAS library has. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <float.h>
#include <stdint.h>
#include <string.h>

#include <cblas.h>

#include "cells/narrow.h"
#include "cells/twins.h"

enum { A, B, C };
#define HALF_EPSILON 0x1p-10
#define HALF_LEAST   0x1p-24
enum { HALF_ONE = 0x3c00, FIX_OFFSET = 173 };

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

/* Fills *call from the library that answers to cblas_sgemm: another one that is there too would be
 * measured under its name. Returns `missing` where that lacks the routine, else NULL. */
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
	const char *short_name##_missing(void)                                                     \
	{                                                                                          \
		return find_routine(symbol, &short_name, "this BLAS has no " symbol);              \
	}

ROUTINE(sbgemm, "cblas_sbgemm")
ROUTINE(hgemm, "cblas_hgemm")
ROUTINE(s8u8s32, "cblas_gemm_s8u8s32")

const enum element sbgemm_elements[] = {ELEMENT_BFLOAT16, ELEMENT_BFLOAT16, ELEMENT_FLOAT};
const enum element hgemm_elements[] = {ELEMENT_HALF, ELEMENT_HALF, ELEMENT_HALF};
const enum element s8u8s32_elements[] = {ELEMENT_UINT8, ELEMENT_INT8, ELEMENT_INT32};

void run_sbgemm(struct operands *o)
{
	const int m = (int)o->size.m, n = (int)o->size.n, k = (int)o->size.k;

	sbgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, o->buffer[A], k, o->buffer[B],
	       n, 0, o->buffer[C], n);
}

void run_hgemm(struct operands *o)
{
	const int m = (int)o->size.m, n = (int)o->size.n, k = (int)o->size.k;

	hgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, HALF_ONE, o->buffer[A], k,
	      o->buffer[B], n, 0, o->buffer[C], n);
}

/* By columns, as the transposed product: which operand is signed depends on the order, and by
 * columns it is the first, as the name says. */
void run_s8u8s32(struct operands *o)
{
	const int m = (int)o->size.m, n = (int)o->size.n, k = (int)o->size.k;
	static const int32_t no_offset;

	s8u8s32(CblasColMajor, CblasNoTrans, CblasNoTrans, FIX_OFFSET, n, m, k, 1, o->buffer[B], n,
		0, o->buffer[A], k, 0, 0, o->buffer[C], n, &no_offset);
}

/* A product of two of these is exact in single precision, in which they are summed. */
struct expected sbgemm_twin(struct size size, size_t index)
{
	return product_of(size, index, sbgemm_elements, FLT_EPSILON);
}

/* Summed in half precision at worst, and rounded to it at the end. */
struct expected hgemm_twin(struct size size, size_t index)
{
	struct expected expected = product_of(size, index, hgemm_elements, HALF_EPSILON);

	expected.bound += HALF_LEAST * (double)size.k;
	return expected;
}

/* Whole numbers, all below 2^31: exact. */
struct expected s8u8s32_twin(struct size size, size_t index)
{
	struct expected expected = product_of(size, index, s8u8s32_elements, 0);

	expected.bound = 0;
	return expected;
}

#define BYTES(name)                                                                                \
	double name##_bytes(struct size size)                                                      \
	{                                                                                          \
		return product_bytes(size, name##_elements);                                       \
	}

BYTES(sbgemm)
BYTES(hgemm)
BYTES(s8u8s32)
