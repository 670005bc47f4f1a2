/* calls_loop.c: the calls that calls.c times, all from one call site. */
/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "calls_loop.h"

void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,
		 int lda, const void *b, int ldb, float beta, void *c, int ldc);

void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
	    const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
	    const float *beta, float *c, const int *ldc, size_t transa_length,
	    size_t transb_length);

void call_fortran(long times, long shapes)
{
	const float zero = 0, one = 1;
	const int size = 64;

	for (long i = 0; i < times; i++) {
		int m = (int)(i & (shapes - 1)) + 1;

		sgemm_("N", "N", &m, &size, &size, &one, NULL, &size, NULL, &size, &zero, NULL,
		       &size, 1, 1);
	}
}

void call_c(long times, long shapes)
{
	for (long i = 0; i < times; i++)
		cblas_sgemm(101, 111, 111, (int)(i & (shapes - 1)) + 1, 64, 64, 1, NULL, 64, NULL,
			    64, 0, NULL, 64);
}
