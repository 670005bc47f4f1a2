/* waiting.h: what the programs that wait known times share: the clock, and a call of BLAS. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_WAITING_H
#define TESTS_WAITING_H

#include <cblas.h>
#include <stdint.h>
#include <time.h>

/* Of a function that is to be seen on the stack. */
#define APART __attribute__((noinline))

static inline int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void compute(void)
{
	float a[16] = {1}, b[16] = {1}, c[16];

	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 4, 4, 4, 1, a, 4, b, 4, 0, c, 4);
}

#endif
