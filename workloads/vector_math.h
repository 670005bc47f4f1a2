/* vector_math.h: helps the kernels to vectorise: an exp without branches, and function clones for
 * CPU levels. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_VECTOR_MATH_H
#define WORKLOADS_VECTOR_MATH_H

#include <stdint.h>
#include <string.h>

/* Compiles a function for several levels of the x86 instruction set; the loader selects one. Not
 * with sanitizers, because the selection runs before they are ready; and only with gcc, because
 * clang 14 gives the selected function a name that other files do not find. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__clang__) &&                            \
	!defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTOR_CLONES
#endif

/* Marks a loop whose iterations are independent except for the named reduction. With -fopenmp-simd
 * it is vectorised even at -O2 and without -ffast-math, including sums. */
#define VECTOR_PRAGMA(text) _Pragma(#text)
#define VECTOR_LOOP	    VECTOR_PRAGMA(omp simd)
#define VECTOR_SUM(name)    VECTOR_PRAGMA(omp simd reduction(+ : name))
#ifdef __clang__
#define VECTOR_MAX(                                                                                \
	name) /* clang 14 warns that it cannot vectorise, because it keeps the rules of NaN */
#else
#define VECTOR_MAX(name) VECTOR_PRAGMA(omp simd reduction(max : name))
#endif

/* Limit of vector_exp's argument, well inside the range of float. gcc precomputes vector_sigmoid at
 * the limit and multiplies by it in every iteration, for lanes that it then drops. With a limit of
 * 88 that is a denormal number, and this multiplication made swiglu_forward 7 times slower. */
#define VECTOR_EXP_END 60.0f

/* e^x with a relative error of at most 3e-7 for x in [-60, 60]; the value at the limit outside, so
 * neither zero nor infinity. NaN gives NaN. Method: x = n ln 2 + r with an integer n and
 * |r| <= ln 2 / 2; e^r by its power series, whose remainder after r^7 is below 6e-9; 2^n by the
 * exponent bits. ln 2 is split into two parts; the first is so short that its product with n is
 * exact. */
static inline float vector_exp(float x)
{
	const float round = 12582912.0f; /* 1.5 * 2^23: adding it rounds to a whole number */
	const float log2_e = 1.44269504f, ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
	float shifted, n, r, series, power;
	int32_t bits;

	x = x < -VECTOR_EXP_END ? -VECTOR_EXP_END : x;
	x = x > VECTOR_EXP_END ? VECTOR_EXP_END : x;
	shifted = x * log2_e + round;
	n = shifted - round;
	r = x - n * ln2_high;
	r = r - n * ln2_low;
	series = 1.0f / 5040;
	series = series * r + 1.0f / 720;
	series = series * r + 1.0f / 120;
	series = series * r + 1.0f / 24;
	series = series * r + 1.0f / 6;
	series = series * r + 0.5f;
	series = series * r + 1.0f;
	series = series * r + 1.0f;
	memcpy(&bits, &shifted, sizeof(bits));
	/* the low bits of `shifted` hold n; 127 is the exponent's bias */
	bits = (int32_t)((uint32_t)(bits + 127) << 23);
	memcpy(&power, &bits, sizeof(power));
	return series * power;
}

/* x, or zero if x is nearer to zero than `least`. A value that decays step by step would otherwise
 * become a denormal number, which makes x86 about a hundred times slower. */
static inline float vector_flush(float x, float least)
{
	return __builtin_fabsf(x) < least ? 0.0f : x;
}

/* 1 / (1 + e^-x). */
static inline float vector_sigmoid(float x)
{
	return 1.0f / (1.0f + vector_exp(-x));
}

#endif
