/* truth_burn.h: CPU time and sleep of a known length, for programs that know the truth about themselves. */
/* SPDX-License-Identifier: MIT */
#ifndef TRUTH_BURN_H
#define TRUTH_BURN_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Uses `ns` of this thread's CPU time, however often it is preempted meanwhile. */
static inline void burn_cpu_ns(int64_t ns)
{
	int64_t end = clock_now_ns(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (ns > 0 && clock_now_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

/* Sleeps; 0 does not even make the system call. */
static inline void sleep_us(int64_t us)
{
	struct timespec pause = {us / 1000000, us % 1000000 * 1000};

	if (us > 0)
		nanosleep(&pause, NULL);
}

#endif
