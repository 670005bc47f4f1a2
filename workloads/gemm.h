/* gemm.h: the only calls of BLAS: row-major matrix products without gaps between rows. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_GEMM_H
#define WORKLOADS_GEMM_H

#include <cblas.h>

/* c = alpha op(a) op(b) + beta c, op(a) [m, k], op(b) [k, n], c [m, n]. The call goes through the
 * PLT, so that a preloaded library can intercept it. Any CBLAS library will do. */

/* c = alpha a b + beta c: a layer's output from its input and weight. */
static inline void gemm_nn(int m, int n, int k, float alpha, const float *a, const float *b,
			   float beta, float *c)
{
	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, alpha, a, k, b, n, beta, c,
		    n);
}

/* c = alpha a b^T + beta c, b [n, k]: the gradient by a layer's input. */
static inline void gemm_nt(int m, int n, int k, float alpha, const float *a, const float *b,
			   float beta, float *c)
{
	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, alpha, a, k, b, k, beta, c,
		    n);
}

/* c = alpha a^T b + beta c, a [k, m]: the gradient by a layer's weight. */
static inline void gemm_tn(int m, int n, int k, float alpha, const float *a, const float *b,
			   float beta, float *c)
{
	cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, n, k, alpha, a, m, b, n, beta, c,
		    n);
}

#endif
