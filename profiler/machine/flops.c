/* flops.c: multiply-adds in registers, for each vector width that the CPU may have. */
/* SPDX-License-Identifier: MIT */
#include "machine/kernels.h"

#define ROUNDS 4096
#define CHAINS                                                                                     \
	12 /* a chain's sum is ready after 4 or 5 cycles, and CPUs begin two sums a cycle          \
	    */

/* Does X(n, a) for each chain n. */
#define EACH_CHAIN(X, a)                                                                           \
	X(0, a)                                                                                    \
	X(1, a) X(2, a) X(3, a) X(4, a) X(5, a) X(6, a) X(7, a) X(8, a) X(9, a) X(10, a) X(11, a)
#define BEGIN(n, value)	 number sum##n = {(value) + n};
#define STEP(n, unused)	 sum##n = sum##n * factor + term;
#define GATHER(n, total) total += sum##n;

/* The factor under 1 keeps each sum near term / (1 - factor). What is read from volatile is not
 * known to the compiler, and what is written there is needed. */
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

static int always(void)
{
	return 1;
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
	return !has_fma();
}

static int has_256(void)
{
	return __builtin_cpu_supports("avx2") && has_fma();
}

static int has_512(void)
{
	return __builtin_cpu_supports("avx512f") && has_fma();
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
	return always();
#else
	return !always();
#endif
}
