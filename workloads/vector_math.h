/* vector_math.h: what lets the kernels vectorise: an exp without branches, and builds per CPU
 * level. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_VECTOR_MATH_H
#define WORKLOADS_VECTOR_MATH_H

#include <stdint.h>
#include <string.h>

/* A function so marked is compiled for several levels of the x86 instruction set, and the loader
 * picks one. Not under a sanitizer, as the picking runs before the sanitizer is ready; and by gcc
 * only: clang 14 gives the picked function a name that other files do not find. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__clang__) &&                            \
	!defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTOR_CLONES
#endif

/* Marks a loop without dependences between its rounds but for the named reduction. It vectorises
 * by -fopenmp-simd at -O2 already, sums included, with no -ffast-math. */
#define VECTOR_PRAGMA(text) _Pragma(#text)
#define VECTOR_LOOP	    VECTOR_PRAGMA(omp simd)
#define VECTOR_SUM(name)    VECTOR_PRAGMA(omp simd reduction(+ : name))
#ifdef __clang__
#define VECTOR_MAX(name) /* clang 14 warns that it cannot: it will not drop NaN's rules here */
#else
#define VECTOR_MAX(name) VECTOR_PRAGMA(omp simd reduction(max : name))
#endif

/* Where vector_exp ends, well inside the range of float: gcc works out vector_sigmoid at the end
 * beforehand and multiplies by it in every round, for lanes that it then drops. At an end of 88
 * that is a denormal number, and the multiplication made swiglu_forward 7 times slower. */
#define VECTOR_EXP_END 60.0f

/* e^x, within 3e-7 of the true value, relatively, for x in [-60, 60]; outside, the value at that
 * end, so neither zero nor infinity. NaN gives NaN. How: x = n ln 2 + r with n whole and
 * |r| <= ln 2 / 2; e^r by its power series, whose rest after r^7 is under 6e-9; 2^n goes into the
 * exponent bits. ln 2 comes in two parts, the first short enough that n times it is exact. */
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

/* x, or zero where x is nearer to zero than `least`. What decays step by step would otherwise end
 * as a denormal number, on which x86 is some hundred times slower. */
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
