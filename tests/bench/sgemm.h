/* sgemm.h: the two names of the product that calls.c times, and its calls. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_BENCH_SGEMM_H
#define TESTS_BENCH_SGEMM_H

#include <stddef.h>

#define C_PARAMS                                                                                   \
	int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,        \
		int lda, const void *b, int ldb, float beta, void *c, int ldc
#define FORTRAN_PARAMS                                                                             \
	const char *transa, const char *transb, const int *m, const int *n, const int *k,          \
		const float *alpha, const float *a, const int *lda, const float *b,                \
		const int *ldb, const float *beta, float *c, const int *ldc, size_t transa_length, \
		size_t transb_length

void cblas_sgemm(C_PARAMS);
void sgemm_(FORTRAN_PARAMS);

/* Call it, with m from 1 to shapes, a power of two. */
void call_c(long times, long shapes);
void call_fortran(long times, long shapes);

#endif
