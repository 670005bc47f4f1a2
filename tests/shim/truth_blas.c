/* truth_blas.c: a stand-in BLAS whose cblas_sgemm burns and sleeps as long as it is told: the truth about f is known. */
/* SPDX-License-Identifier: MIT */
#include "truth_burn.h"

void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,
		 int lda, const void *b, int ldb, float beta, void *c, int ldc);

/* m: CPU time to burn in ns; n: time to sleep in us. The sum of what was really spent is kept by
 * truth_burn.c for the program to print. */
void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,
		 int lda, const void *b, int ldb, float beta, void *c, int ldc)
{
	(void)order, (void)transa, (void)transb, (void)k, (void)alpha, (void)a, (void)lda;
	(void)b, (void)ldb, (void)beta, (void)c, (void)ldc;
	burn_cpu_ns(m);
	sleep_us(n);
}
