/* noop_blas.c: a cblas_sgemm and an sgemm_ that do nothing: what is left is the cost of the call.
 */
/* SPDX-License-Identifier: MIT */
#include <stddef.h>

void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,
		 int lda, const void *b, int ldb, float beta, void *c, int ldc);

void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,
		 int lda, const void *b, int ldb, float beta, void *c, int ldc)
{
	__asm__ volatile("");
}

void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
	    const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
	    const float *beta, float *c, const int *ldc, size_t transa_length,
	    size_t transb_length);

void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
	    const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
	    const float *beta, float *c, const int *ldc, size_t transa_length, size_t transb_length)
{
	__asm__ volatile("");
}
