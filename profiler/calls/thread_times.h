/* thread_times.h: from a thread's raw record to its times inside the region of interest. */
/* SPDX-License-Identifier: MIT */
#ifndef CALLS_THREAD_TIMES_H
#define CALLS_THREAD_TIMES_H

#include <stddef.h>
#include <stdint.h>

#include "model/density.h"
#include "store/run.h"
#include "wire/layout.h"
#include "wire/session.h"

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

/* What was measured between a thread's first and last call, in ns. The profiler's own cost is still
 * in it. */
struct raw_times {
	int64_t span_ns;    /* all of it */
	int64_t booking_ns; /* the part in which the profiler read its clocks */
	/* Inside the calls of each intercepted category; CAT_OTHER is between calls, and has what
	 * the others leave of the span: its ns is not read. */
	struct {
		int64_t ns, waiting_ns, preempted_ns;
	} in[CAT_COUNT];
	int64_t queue_ns; /* the part of BLAS spent queueing for a unit (what-if) */
	double own_inside_ns,
		own_outside_ns; /* calibrated cost of the calls, in BLAS and between calls */
};

/* Adds it to *split, with the profiler's own cost taken out, and returns that cost. Each part is
 * limited to what is left of the one that it lies in, so that the categories and the cost add up to
 * span_ns and none is negative, whatever the numbers. */
int64_t time_split_add_raw(struct time_split *split, const struct raw_times *raw);

/* What a thread's record is read against. */
struct thread_frame {
	int region; /* 1: the ROI is what threads did inside a region: no time before or after their
		       calls */
	struct clock_line line;
	int64_t roi_start_ns, roi_end_ns;	/* CLOCK_MONOTONIC */
	const struct cpu_activity *activity;	/* NULL: nobody saw when threads had a CPU */
	double call_inside_ns, call_outside_ns; /* the shim's calibrated cost */
};

/* The time of all calls and gaps in the sums. */
struct time_split sums_times(const struct thread_frame *frame, const struct call_sums *sums);

/* What is known of a thread. */
struct thread_source {
	const struct thread_record *record;
	const struct call_sums *sums; /* over all regions */
	/* What it had used before its process's first call; NULL: it began later. */
	const struct task_start *task;
	const struct gap_record *gaps; /* its own, in order of time */
	size_t ngaps;
	int64_t pid, tid;
	int64_t process_ns; /* when its process made its first call, CLOCK_MONOTONIC */
};

/* When it returned from its last call; when it made its first. */
int64_t source_first_ns(const struct thread_frame *frame, const struct thread_source *source);
int64_t source_last_ns(const struct thread_frame *frame, const struct thread_source *source);
/* CPU time used after its last call; -1: not known. */
int64_t source_tail_cpu_ns(const struct thread_frame *frame, const struct thread_source *source);

/* Fills the times of *thread. Between its first and last call everything is exact, as far as the
 * ROI begins and ends outside or in one of its gaps; else its calls are taken to be spread evenly
 * between its gaps. Before the first call, after the last and inside a gap, frame->activity tells;
 * without it, CPU time is placed inside the ROI as far as it fits, and in a gap and after the last
 * call before any waiting. The parts always add up to end_ns - start_ns. */
void thread_times(const struct thread_frame *frame, const struct thread_source *source,
		  struct run_thread *thread);

#endif
