/* truth_burn.h: CPU time and sleep of a known length, for programs whose profile is known. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SHIM_TRUTH_BURN_H
#define TESTS_SHIM_TRUTH_BURN_H

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline int64_t clock_now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Uses `ns` of this thread's CPU time, even if it is preempted meanwhile. Returns what it used. */
static inline int64_t burn_cpu_ns(int64_t ns)
{
	int64_t begun = clock_now_ns(CLOCK_THREAD_CPUTIME_ID), now = begun;

	while (now - begun < ns)
		now = clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
	return now - begun;
}

/* Computes in user code for this CPU time; a loop that only reads the clock would spend its time in
 * the kernel. */
static inline void compute_ms(double ms)
{
	static __thread volatile double sink;
	int64_t begun = clock_now_ns(CLOCK_THREAD_CPUTIME_ID);

	do {
		for (int i = 0; i < 20000; i++)
			sink = sink * 0.5 + i;
	} while ((double)(clock_now_ns(CLOCK_THREAD_CPUTIME_ID) - begun) < ms * 1e6);
}

/* Returns how long this thread has waited for a CPU. The file stays open, so that reading it is
 * fast. Uses raw system calls, which are no cancellation points. */
static inline int64_t run_delay_ns(void)
{
	static __thread int fd = -1;
	char text[96];
	ssize_t got;

	if (fd < 0)
		fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/schedstat", O_RDONLY);
	got = syscall(SYS_pread64, fd, text, sizeof text - 1, 0);
	text[got > 0 ? got : 0] = '\0';
	return got > 0 ? strtoll(strchr(text, ' '), NULL, 10) : 0;
}

/* One moment on all clocks, read again if the thread had to wait for a CPU in between. */
struct moment {
	int64_t wall_ns, cpu_ns, delay_ns;
};

static inline struct moment moment_now(void)
{
	struct moment moment;

	do {
		moment.delay_ns = run_delay_ns();
		moment.cpu_ns = clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
		moment.wall_ns = clock_now_ns(CLOCK_MONOTONIC);
	} while (run_delay_ns() != moment.delay_ns);
	return moment;
}

/* Returns the time since then in which the thread neither ran nor waited for a CPU: it was blocked,
 * or its CPU was stolen by the hypervisor's other guests. */
static inline int64_t moment_off_ns(const struct moment *begun)
{
	struct moment ended = moment_now();
	int64_t off_ns = ended.wall_ns - begun->wall_ns - (ended.cpu_ns - begun->cpu_ns) -
			 (ended.delay_ns - begun->delay_ns);

	return off_ns > 0 ? off_ns : 0;
}

/* Sleeps, and returns how long the thread was blocked, which does not include waiting for a CPU or
 * using it afterwards. It does not block at all if its CPU was stolen until the timer expired.
 * Makes no system call if us is 0. */
static inline int64_t sleep_us(int64_t us)
{
	struct timespec pause = {us / 1000000, us % 1000000 * 1000};
	struct rusage before, after;
	struct moment begun;
	int64_t off_ns;

	if (us <= 0)
		return 0;
	getrusage(RUSAGE_THREAD, &before);
	begun = moment_now();
	nanosleep(&pause, NULL);
	off_ns = moment_off_ns(&begun);
	getrusage(RUSAGE_THREAD, &after);
	return after.ru_nvcsw > before.ru_nvcsw ? off_ns : 0;
}

#endif
