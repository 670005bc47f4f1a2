/* waiting.h: a BLAS call and the length of a wait, for programs that wait known times. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_WAITING_H
#define TESTS_WAITING_H

#include <cblas.h>

#include "tests/shim/truth_burn.h"

/* For a function that must be seen on the stack. */
#define NOINLINE __attribute__((noinline))

/* The length of waits. A thread that was woken may have to wait for a CPU, which the switch records
 * do not distinguish from being blocked: a wait lasts at least as long as the thread was blocked,
 * and at most as long as it was off the CPU. */
struct waited {
	int64_t least_ns, most_ns;
};

static inline void waited_add(struct waited *waited, const struct moment *begun)
{
	struct moment ended = moment_now();
	int64_t off_ns = ended.wall_ns - begun->wall_ns - (ended.cpu_ns - begun->cpu_ns);

	waited->least_ns += off_ns - (ended.delay_ns - begun->delay_ns);
	waited->most_ns += off_ns;
}

static inline void compute(void)
{
	float a[16] = {1}, b[16] = {1}, c[16];

	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 4, 4, 4, 1, a, 4, b, 4, 0, c, 4);
}

#endif
