/* truth_burn.h: CPU time and sleep of a known length, for programs that know the truth about
 * themselves. */
/* SPDX-License-Identifier: MIT */
#ifndef TRUTH_BURN_H
#define TRUTH_BURN_H

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

/* Uses `ns` of this thread's CPU time, however often it is preempted meanwhile; returns what it
 * really used. */
static inline int64_t burn_cpu_ns(int64_t ns)
{
	int64_t begun = clock_now_ns(CLOCK_THREAD_CPUTIME_ID), now = begun;

	while (now - begun < ns)
		now = clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
	return now - begun;
}

/* What the kernel says this thread has waited for a CPU. The file stays open: reading it must not
 * take long. By bare system calls, which are no points where a thread can be cancelled. */
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

/* One moment on all clocks: read again when the thread had to wait for a CPU in between. */
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

/* The time since then that the thread neither ran nor waited for a CPU: blocked, or its CPU was
 * stolen by a hypervisor's other guests. */
static inline int64_t moment_off_ns(const struct moment *begun)
{
	struct moment ended = moment_now();
	int64_t off_ns = ended.wall_ns - begun->wall_ns - (ended.cpu_ns - begun->cpu_ns) -
			 (ended.delay_ns - begun->delay_ns);

	return off_ns > 0 ? off_ns : 0;
}

static inline long times_blocked(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

/* Sleeps, and returns how long the thread was really blocked: a timer is late, and a thread that
 * wakes may wait for a CPU, which is not blocked time, nor is the CPU time that it takes. It may
 * not block at all, where its CPU was stolen until the timer was over. 0 does not even make the
 * system call. */
static inline int64_t sleep_us(int64_t us)
{
	struct timespec pause = {us / 1000000, us % 1000000 * 1000};
	struct moment begun;
	int64_t off_ns;
	long times;

	if (us <= 0)
		return 0;
	times = times_blocked();
	begun = moment_now();
	nanosleep(&pause, NULL);
	off_ns = moment_off_ns(&begun);
	return times_blocked() > times ? off_ns : 0;
}

/* The stand-in BLAS adds up what this thread spent in it, and, where that is wanted, for how long
 * its CPU was stolen meanwhile: from outside no clock tells that from the call. */
extern __thread int64_t truth_blas_ns, truth_stolen_ns;
extern int truth_wants_stolen;

#endif
