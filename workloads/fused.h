/* fused.h: a layer of a network in one pass: product, bias and GELU, blocked by hand. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_FUSED_H
#define WORKLOADS_FUSED_H

/* y = gelu(a b + bias) with gelu by the tanh formula (Hendrycks and Gimpel, "Gaussian error linear
 * units", 2016). All row-major without gaps. A block of y stays in registers while its products are
 * summed, and gets bias and GELU before it is written. Nothing allocates, and b is not packed:
 * meant for operands that fit a cache. */
void gemm_bias_gelu(float *y,	       /* [m, n] */
		    const float *a,    /* [m, k] */
		    const float *b,    /* [k, n] */
		    const float *bias, /* [n] */
		    int m, int n, int k);

/* y = gelu(x), y may be x; and y[r, c] += bias[c]: what the same takes beside a product of BLAS. */
void gelu_forward(float *y, const float *x, long length);
void bias_add(float *y, const float *bias, int rows, int cols);

#endif
