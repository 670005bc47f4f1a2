/* activity.h: when each thread of the program had a CPU, by the kernel's switch records. */
/* SPDX-License-Identifier: MIT */
#ifndef CALLS_ACTIVITY_H
#define CALLS_ACTIVITY_H

#include <stddef.h>
#include <stdint.h>

#include "model/density.h"

/* A time off the CPU, CLOCK_MONOTONIC as all times here. */
struct off_span {
	int64_t start_ns, end_ns;
	int is_waiting; /* 0: ready to run */
};

struct active_task {
	int64_t pid, tid;
	int64_t start_ns, end_ns;
	size_t first, count; /* its spans, in order of time */
	uint64_t samples_blas, samples_other, samples_kernel;
};

/* The sampler fills it; free with activity_free(). */
struct cpu_activity {
	struct active_task *tasks; /* in order of tid; a number that is used again has several */
	size_t ntasks;
	struct off_span *spans;
	size_t nspans;
};
void activity_free(struct cpu_activity *activity);

/* The task with these numbers that was alive within [from, to]; NULL: none. */
const struct active_task *activity_find(const struct cpu_activity *activity, int64_t pid,
					int64_t tid, int64_t from_ns, int64_t to_ns);

/* What the task did within [from, to]: all together as long as it was alive there. */
struct task_times {
	int64_t on_cpu_ns, waiting_ns, preempted_ns;
};
struct task_times activity_between(const struct cpu_activity *activity,
				   const struct active_task *task, int64_t from_ns, int64_t to_ns);
/* Its times on the CPU from then on, into bursts[], which has room for task->count + 1. Returns how
 * many. */
size_t activity_bursts(const struct cpu_activity *activity, const struct active_task *task,
		       int64_t from_ns, struct burst *bursts);

static inline int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

#endif
