/* callers.h: the BLAS routines that callers.c calls, and its own functions. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CALLS_CALLERS_H
#define TESTS_CALLS_CALLERS_H

#include <stddef.h>

typedef void sgemm_function(int order, int transa, int transb, int m, int n, int k, float alpha,
			    const float *a, int lda, const float *b, int ldb, float beta, float *c,
			    int ldc);
sgemm_function cblas_sgemm;
void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
	    const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
	    const float *beta, float *c, const int *ldc, size_t transa_length,
	    size_t transb_length);

void openblas_set_num_threads(int threads);

/* The callers; not static, so that the compiler keeps their names and bodies. */
void call_directly(int times);
void call_by_inlined(int times);
void call_fortran(int times);
void call_by_pointer(int times);
void call_shape(int m);
void call_shape_again(int m);

/* In a separate library. */
void library_call(int times, const float *a, const float *b, float *c);

#endif
