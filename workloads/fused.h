/* fused.h: kernels in one pass and in a pass for each operation; and a layer (product, bias and
 * GELU) in one pass. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_FUSED_H
#define WORKLOADS_FUSED_H

#include "kernels.h"

/* y = gelu(a b + bias) with gelu by the tanh formula (Hendrycks and Gimpel, "Gaussian error linear
 * units", 2016). All matrices are row-major without gaps. A block of y stays in registers while its
 * products are summed, and bias and GELU are applied before it is written. Nothing allocates, and b
 * is not packed: this is meant for operands that fit a cache. */
void gemm_bias_gelu(float *y,	       /* [m, n] */
		    const float *a,    /* [m, k] */
		    const float *b,    /* [k, n] */
		    const float *bias, /* [n] */
		    int m, int n, int k);

/* y = gelu(x), where y may be x; and y[r, c] += bias[c]: the same work after a BLAS product. */
void gelu_forward(float *y, const float *x, long length);
void bias_add(float *y, const float *bias, int rows, int cols);

/* Functions with the contracts of kernels.h. */
struct kernel_set {
	__typeof__(&rmsnorm_forward) rmsnorm_forward;
	__typeof__(&rmsnorm_backward) rmsnorm_backward;
	__typeof__(&causal_softmax_forward) causal_softmax_forward;
	__typeof__(&causal_softmax_backward) causal_softmax_backward;
	__typeof__(&swiglu_forward) swiglu_forward;
	__typeof__(&swiglu_backward) swiglu_backward;
	__typeof__(&adamw_update) adamw_update;
};
/* The functions of kernels.h, and functions in which each operation is a pass over the whole array,
 * as in a program that consists of a library's elementary operations. They differ in the order of
 * the roundings only. Nothing allocates: intermediate values are kept in the results. */
extern const struct kernel_set fused_kernels, unfused_kernels;

static inline const struct kernel_set *kernels_of(_Bool unfused)
{
	return unfused ? &unfused_kernels : &fused_kernels;
}

#endif
