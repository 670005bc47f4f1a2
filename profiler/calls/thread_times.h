/* thread_times.h: from a thread's raw record to its times inside the region of interest. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_THREAD_TIMES_H
#define RECORD_THREAD_TIMES_H

#include "wire/session.h"
#include "wire/layout.h"
#include "store/run.h"

/* What a thread's record is read against. */
struct thread_frame {
	int region; /* 1: the ROI is what threads did inside a region: no time before or after their calls */
	struct clock_line line;
	int64_t roi_start_ns, roi_end_ns;          /* CLOCK_MONOTONIC */
	double call_inside_ns, call_outside_ns;    /* the shim's calibrated cost */
};

/* Fills the times of *thread; `sums` are the record's over all regions. `task`, when not NULL, says what the thread had used before its process's first
 * call; a thread without one began later. Between its first and last call everything is exact; before the first and after
 * the last, CPU time is placed inside the ROI as far as it fits. The parts always add up to
 * end_ns - start_ns, and none is negative. */
void thread_times(const struct thread_frame *frame, const struct thread_record *record,
		  const struct call_sums *sums, const struct task_start *task,
		  struct run_thread *thread);

/* Splits the time of calls and gaps (`span_ns` in all, `booking_ns` of it the profiler's) by category and adds it to
 * *thread. */
void thread_add_sums(const struct thread_frame *frame, const struct call_sums *sums,
		     int64_t span_ns, int64_t booking_ns, struct run_thread *thread);

#endif
