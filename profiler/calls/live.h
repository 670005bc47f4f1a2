/* live.h: what the threads of a session do while they run, from records that they still write. */
/* SPDX-License-Identifier: MIT */
#ifndef CALLS_LIVE_H
#define CALLS_LIVE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "model/category.h"
#include "wire/session.h"

/* A thread's sums since its first call, at one moment. */
struct live_thread {
	pid_t pid;
	int64_t tid;
	uint64_t serial; /* pid and serial name a thread: tids are used again */
	char name[16];
	uint64_t calls;
	double flops;
	struct time_split times;
	int ended;
};

struct live {
	struct live_thread *threads; /* owned */
	size_t count;
	int64_t at_ns; /* CLOCK_MONOTONIC */
};

/* What a thread, or all of them, did between two moments. Shares are of the thread's time, NAN
 * where no call ended meanwhile. */
struct live_rates {
	double f, share[CAT_COUNT], stalled; /* stalled: blocked inside BLAS */
	double calls_per_s, flops_per_s;
};

/* The running session of the profiler or profiled process `pid`; 0: the newest of this user's that
 * runs. 0 with *session, to be closed with session_close(), and *control; -1 where there is none.
 */
int live_find(pid_t pid, struct session_dir *session, struct session *control);
/* Reads all records; nothing is written, and the program is not stopped. Free *live with
 * live_free() in every case. 0, or -1 with *err: the directory is gone, or memory is out. */
int live_read(const struct session_dir *session, struct live *live, struct error *err);
void live_free(struct live *live);
/* The thread in another reading, or NULL. */
const struct live_thread *live_thread_find(const struct live *live,
					   const struct live_thread *thread);
/* `before` NULL: since its first call. */
struct live_rates live_thread_rates(const struct live_thread *before, const struct live_thread *now,
				    double seconds);
/* Of all threads together; calls and flops add up, shares are of all their time. */
struct live_rates live_sum_rates(const struct live *before, const struct live *now);

#endif
