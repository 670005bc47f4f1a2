/* truth_blas.h: the stand-in BLAS, for the programs that are linked with it. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SHIM_TRUTH_BLAS_H
#define TESTS_SHIM_TRUTH_BLAS_H

#include <stdint.h>

/* Burns alpha ns of CPU time and sleeps for beta us. Leaves m bytes of its frame unwritten, as
 * kernels of OpenBLAS do. */
void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,
		 int lda, const void *b, int ldb, float beta, void *c, int ldc);

/* It adds up the time that this thread spent in it and, if wanted, for how long its CPU was stolen
 * meanwhile, which cannot be measured from outside. */
extern __thread int64_t truth_blas_ns, truth_stolen_ns;
extern int truth_wants_stolen;

#endif
