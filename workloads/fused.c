/* fused.c: a layer of a network in one pass: product, bias and GELU, with explicit blocks. */
/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "fused.h"
#include "vector_math.h"

/* With tanh(u) = 2 sigmoid(2 u) - 1, GELU is x sigmoid(2 u). */
static inline __attribute__((always_inline)) float gelu(float x)
{
	return x * vector_sigmoid(1.595769122f * (x + 0.044715f * x * x * x));
}

/* Constants of GELU in vectors: t = -2 u log2(e) = x (linear + cube x^2) is limited to +-END and
 * rounded to an integer by adding ROUND, which is 1.5 * 2^23 plus the exponent's bias. */
#define GELU_LINEAR -2.302208198f
#define GELU_CUBE   -0.1029432396f
#define GELU_END    86.0f
#define GELU_ROUND  (12582912.0f + 127.0f)

/* The sums of a block and the vectors of b fill the registers; AVX-512 and NEON have 32. */
#if defined(__x86_64__)
#define BLOCK(name) name##_512
#define TARGET	    __attribute__((target("avx512f,fma")))
#define LANES	    16
#define ROWS	    12
#include "fused_block.h"
#define BLOCK(name) name##_256
#define TARGET	    __attribute__((target("avx2,fma")))
#define LANES	    8
#define ROWS	    6
#include "fused_block.h"
#endif
/* For all CPUs: SSE, NEON and other vectors of 128 bits. */
#define BLOCK(name) name##_128
#define TARGET
#define LANES 4
#ifdef __aarch64__
#define ROWS 12
#else
#define ROWS 6
#endif
#include "fused_block.h"

/* For fewer columns than the narrowest block has. */
static void layer_narrow(float *restrict y, const float *restrict a, const float *restrict b,
			 const float *restrict bias, int m, int n, int k)
{
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++) {
			float sum = bias[j];

			for (int p = 0; p < k; p++)
				sum += a[(size_t)i * (size_t)k + (size_t)p] *
				       b[(size_t)p * (size_t)n + (size_t)j];
			y[(size_t)i * (size_t)n + (size_t)j] = gelu(sum);
		}
}

void gemm_bias_gelu(float *y, const float *a, const float *b, const float *bias, int m, int n,
		    int k)
{
#if defined(__x86_64__)
	if (n >= 32 && __builtin_cpu_supports("avx512f"))
		layer_512(y, a, b, bias, m, n, k);
	else if (n >= 16 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		layer_256(y, a, b, bias, m, n, k);
	else
#endif
		if (n >= 8)
		layer_128(y, a, b, bias, m, n, k);
	else
		layer_narrow(y, a, b, bias, m, n, k);
}

VECTOR_CLONES void gelu_forward(float *y, const float *x, long length)
{
	VECTOR_LOOP
	for (long i = 0; i < length; i++)
		y[i] = gelu(x[i]);
}

VECTOR_CLONES void bias_add(float *restrict y, const float *restrict bias, int rows, int cols)
{
	for (int r = 0; r < rows; r++, y += cols) {
		VECTOR_LOOP
		for (int c = 0; c < cols; c++)
			y[c] += bias[c];
	}
}
