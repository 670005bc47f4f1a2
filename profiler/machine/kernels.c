/* kernels.c: the loops that are timed: multiply-adds in registers for each vector width, and passes
 * over memory: read, copy, and the triad of the STREAM benchmark. */
/* SPDX-License-Identifier: MIT */
#include "machine/measure.h"

#define ROUNDS 4096
/* Enough chains to hide a latency of 4 or 5 cycles when CPUs start two operations per cycle. */
#define CHAINS 12

/* Expands X(n, a) for each chain n. */
#define EACH_CHAIN(X, a)                                                                           \
	X(0, a)                                                                                    \
	X(1, a) X(2, a) X(3, a) X(4, a) X(5, a) X(6, a) X(7, a) X(8, a) X(9, a) X(10, a) X(11, a)
#define BEGIN(n, value)	 number sum##n = {(value) + n};
#define STEP(n, unused)	 sum##n = sum##n * factor + term;
#define GATHER(n, total) total += sum##n;

/* A factor less than 1 keeps each sum near term / (1 - factor). The volatile variables keep the
 * compiler from computing the result itself, or from dropping it. */
#define KERNEL(function, type, bits, ...)                                                          \
	__VA_ARGS__ static double function(void)                                                   \
	{                                                                                          \
		typedef type number __attribute__((vector_size((bits) / 8)));                      \
		static volatile type given[] = {(type)0.999, (type)0.001};                         \
		static _Thread_local volatile type kept;                                           \
		number factor = (number){0} + given[0], term = (number){0} + given[1];             \
                                                                                                   \
		EACH_CHAIN(BEGIN, given[1])                                                        \
		for (int i = 0; i < ROUNDS; i++) {                                                 \
			EACH_CHAIN(STEP, 0)                                                        \
		}                                                                                  \
		factor = (number){0};                                                              \
		EACH_CHAIN(GATHER, factor)                                                         \
		kept = factor[0];                                                                  \
		(void)kept;                                                                        \
		return 2.0 * ROUNDS * CHAINS * ((bits) / 8 / sizeof(type));                        \
	}

/* clang-format off */
#ifdef __x86_64__
KERNEL(single_128, float, 128, )
KERNEL(double_128, double, 128, )
KERNEL(single_128_fma, float, 128, __attribute__((target("fma"))))
KERNEL(double_128_fma, double, 128, __attribute__((target("fma"))))
KERNEL(single_256_fma, float, 256, __attribute__((target("avx2,fma"))))
KERNEL(double_256_fma, double, 256, __attribute__((target("avx2,fma"))))
KERNEL(single_512_fma, float, 512, __attribute__((target("avx512f,fma"))))
KERNEL(double_512_fma, double, 512, __attribute__((target("avx512f,fma"))))

static int has_fma(void)
{
	return __builtin_cpu_supports("fma");
}

static int has_no_fma(void)
{
	return !__builtin_cpu_supports("fma");
}

static int has_256(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static int has_512(void)
{
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma");
}

const struct flops_kernel flops_kernels[] = {
	{"single, 128 bits", PRECISION_SINGLE, has_no_fma, single_128},
	{"single, 128 bits, FMA", PRECISION_SINGLE, has_fma, single_128_fma},
	{"single, 256 bits, FMA", PRECISION_SINGLE, has_256, single_256_fma},
	{"single, 512 bits, FMA", PRECISION_SINGLE, has_512, single_512_fma},
	{"double, 128 bits", PRECISION_DOUBLE, has_no_fma, double_128},
	{"double, 128 bits, FMA", PRECISION_DOUBLE, has_fma, double_128_fma},
	{"double, 256 bits, FMA", PRECISION_DOUBLE, has_256, double_256_fma},
	{"double, 512 bits, FMA", PRECISION_DOUBLE, has_512, double_512_fma},
};
#else
KERNEL(single_128, float, 128, )
KERNEL(double_128, double, 128, )

static int always(void)
{
	return 1;
}

const struct flops_kernel flops_kernels[] = {
	{"single, 128 bits", PRECISION_SINGLE, always, single_128},
	{"double, 128 bits", PRECISION_DOUBLE, always, double_128},
};
#endif
/* clang-format on */
const size_t flops_kernels_count = sizeof flops_kernels / sizeof *flops_kernels;

int kernels_are_optimised(void)
{
#ifdef __OPTIMIZE__
	return 1;
#else
	return 0;
#endif
}

/* Compiles a loop for each vector width; the loader chooses the one for the CPU. */
#ifdef __x86_64__
#define WIDTHS __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define WIDTHS
#endif

typedef long vector __attribute__((vector_size(64)));
#define VECTOR_DOUBLES 8

static _Thread_local volatile long kept;

/* Four chains of cheap operations, so that only the loads take time. */
WIDTHS static double run_read(double *memory, size_t count)
{
	const vector *from = (const vector *)memory;
	vector a = {0}, b = {0}, c = {0}, d = {0};

	for (size_t i = 0; i < count / VECTOR_DOUBLES; i += 4) {
		a ^= from[i];
		b ^= from[i + 1];
		c ^= from[i + 2];
		d ^= from[i + 3];
	}
	a ^= b ^ c ^ d;
	kept = a[0] ^ a[1] ^ a[2] ^ a[3] ^ a[4] ^ a[5] ^ a[6] ^ a[7];
	return (double)count * sizeof *memory;
}

/* The barrier keeps the compiler from turning the loop into a call of memcpy(). */
WIDTHS static double run_copy(double *memory, size_t count)
{
	const vector *from = (const vector *)memory;
	vector *to = (vector *)(memory + count);

	for (size_t i = 0; i < count / VECTOR_DOUBLES; i += 2) {
		to[i] = from[i];
		to[i + 1] = from[i + 1];
		__asm__ volatile("" ::: "memory");
	}
	return 2.0 * (double)count * sizeof *memory;
}

WIDTHS static double run_triad(double *memory, size_t count)
{
	typedef double numbers __attribute__((vector_size(64)));
	const numbers *left = (const numbers *)memory, *right = (const numbers *)(memory + count);
	numbers *to = (numbers *)(memory + 2 * count);

	for (size_t i = 0; i < count / VECTOR_DOUBLES; i += 2) {
		to[i] = left[i] + 3.0 * right[i];
		to[i + 1] = left[i + 1] + 3.0 * right[i + 1];
	}
	return 3.0 * (double)count * sizeof *memory;
}

const struct bandwidth_kernel bandwidth_kernels[] = {
	{"read", 1, run_read},
	{"copy", 2, run_copy},
	{"triad", 3, run_triad},
};
const size_t bandwidth_kernels_count = sizeof bandwidth_kernels / sizeof *bandwidth_kernels;
