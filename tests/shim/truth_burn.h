/* truth_burn.h: CPU time and sleep of a known length, for programs that know the truth about themselves. */
/* SPDX-License-Identifier: MIT */
#ifndef TRUTH_BURN_H
#define TRUTH_BURN_H

#include <stdint.h>
#include <stdio.h>
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

/* What the kernel says this thread has waited for a CPU. */
static inline int64_t run_delay_ns(void)
{
	long long cpu, delay = 0;
	FILE *file = fopen("/proc/thread-self/schedstat", "r");

	if (file && fscanf(file, "%lld %lld", &cpu, &delay) != 2)
		delay = 0;
	if (file)
		fclose(file);
	return delay;
}

/* Sleeps, and returns how long the thread was really blocked: a timer is late, and a thread that wakes may
 * wait for a CPU, which is not blocked time. 0 does not even make the system call. */
static inline int64_t sleep_us(int64_t us)
{
	struct timespec pause = {us / 1000000, us % 1000000 * 1000};
	int64_t delay, begun, ended;

	if (us <= 0)
		return 0;
	delay = run_delay_ns();
	begun = clock_now_ns(CLOCK_MONOTONIC);
	nanosleep(&pause, NULL);
	ended = clock_now_ns(CLOCK_MONOTONIC);
	return ended - begun - (run_delay_ns() - delay);
}

/* Where the stand-in BLAS adds what this thread slept in it. */
extern __thread int64_t truth_slept_ns;

#endif
