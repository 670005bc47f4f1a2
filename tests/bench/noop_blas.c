/* noop_blas.c: a cblas_sgemm and an sgemm_ that do nothing, so that only the cost of the call is
 * left. */
/* SPDX-License-Identifier: MIT */
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

void cblas_sgemm(C_PARAMS)
{
	__asm__ volatile("");
}

void sgemm_(FORTRAN_PARAMS)
{
	__asm__ volatile("");
}
