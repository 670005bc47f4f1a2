/* peak.c: the peak flop rate: multiply-adds in registers, for each vector width. */
/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "cells/kernel.h"

enum { START, END };
/* Number of independent sums: an operation has a latency of 4 or 5 cycles, and two start each
 * cycle. */
enum { SUMS = 12, ROUNDS = 2048 };
/* Both are exact. The sums tend to 1, but so slowly that the result still depends on the start. */
#define FACTOR		  0.9990234375
#define TERM		  0.0009765625

#define EACH_SUM(DO)	  DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define LOAD(i)		  vector sum##i = start[i];
#define ADD(i)		  sum##i = sum##i * factor + term;
#define STORE(i)	  end[i] = sum##i;
#define LANES(type, bits) ((bits) / 8 / (int)sizeof(type))

/* Defines run_<type>_<bits>() and its size. */
#define PEAK(type, bits, target)                                                                   \
	static const struct size sizes_##type##_##bits[] = {{.n = SUMS * LANES(type, bits)}, {0}}; \
	target static void run_##type##_##bits(struct operands *o)                                 \
	{                                                                                          \
		typedef type vector __attribute__((vector_size((bits) / 8)));                      \
		const vector *start = o->buffer[START];                                            \
		vector *end = o->buffer[END];                                                      \
		const vector factor = (vector){0} + (type)FACTOR;                                  \
		const vector term = (vector){0} + (type)TERM;                                      \
                                                                                                   \
		EACH_SUM(LOAD)                                                                     \
		for (int i = 0; i < ROUNDS; i++) {                                                 \
			EACH_SUM(ADD)                                                              \
		}                                                                                  \
		EACH_SUM(STORE)                                                                    \
	}

/* Each step has at most two roundings, of numbers below 2, and multiplies earlier errors by FACTOR.
 * So the total error is below 2 eps / (1 - FACTOR). */
static struct expected peak_twin(size_t index, double epsilon)
{
	double sum = input(START, index);

	for (int i = 0; i < ROUNDS; i++)
		sum = sum * FACTOR + TERM;
	return (struct expected){sum, 2 * epsilon / (1 - FACTOR)};
}

static struct expected single_twin(struct size size, size_t index)
{
	return peak_twin(index, FLT_EPSILON);
}

static struct expected double_twin(struct size size, size_t index)
{
	return peak_twin(index, 2 * DBL_EPSILON); /* the twin has the same error */
}

#define ROW(name, type, bits, precision, why_not)                                                  \
	{                                                                                          \
		"peak", name, sizeof(type), 2, END, vector_length, 2 * ROUNDS, 0,                  \
			run_##type##_##bits, precision##_twin, sizes_##type##_##bits, 0, why_not   \
	}

/* clang-format off */
#ifdef __x86_64__
PEAK(float, 128, __attribute__((target("fma"))))
PEAK(double, 128, __attribute__((target("fma"))))
PEAK(float, 256, __attribute__((target("avx2,fma"))))
PEAK(double, 256, __attribute__((target("avx2,fma"))))
PEAK(float, 512, __attribute__((target("avx512f,fma"))))
PEAK(double, 512, __attribute__((target("avx512f,fma"))))

static const char *no_fma(void)
{
	return __builtin_cpu_supports("fma") ? NULL : "this CPU has no FMA";
}

static const char *no_avx2(void)
{
	return __builtin_cpu_supports("avx2") ? no_fma() : "this CPU has no AVX2";
}

static const char *no_avx512(void)
{
	return __builtin_cpu_supports("avx512f") ? no_fma() : "this CPU has no AVX-512";
}

const struct kernel peak_kernels[] = {
	ROW("single-128", float, 128, single, no_fma),
	ROW("single-256", float, 256, single, no_avx2),
	ROW("single-512", float, 512, single, no_avx512),
	ROW("double-128", double, 128, double, no_fma),
	ROW("double-256", double, 256, double, no_avx2),
	ROW("double-512", double, 512, double, no_avx512),
	{0},
};
#else
PEAK(float, 128, )
PEAK(double, 128, )

const struct kernel peak_kernels[] = {
	ROW("single-128", float, 128, single, NULL),
	ROW("double-128", double, 128, double, NULL),
	{0},
};
#endif
/* clang-format on */
