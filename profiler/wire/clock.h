/* clock.h: the shim's clock: the CPU's counter if it is steady, else clock_gettime(). */
/* SPDX-License-Identifier: MIT */
#ifndef WIRE_CLOCK_H
#define WIRE_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "wire/layout.h"

static inline int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Reads the CPU's counter without a fence. Out-of-order execution shifts the result by a few ns at
 * most; a fence would cost more (shared/OVERHEAD.md: 53 instead of 19 ns for two readings). */
static inline uint64_t clock_counter(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#endif
}

static inline uint64_t clock_ticks(uint32_t kind)
{
	if (__builtin_expect(kind == CLOCK_TICKS, 1))
		return clock_counter();
	return (uint64_t)clock_ns(CLOCK_MONOTONIC);
}

#endif
