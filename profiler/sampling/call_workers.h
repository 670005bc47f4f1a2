/* call_workers.h: how much of the calls of each shape runs in BLAS's own threads, by the calls of
 * which it is known when they ran. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_CALL_WORKERS_H
#define RECORD_CALL_WORKERS_H

#include "sampling/timeline.h"
#include "store/run.h"

/* Who takes part in calls. */
struct call_workers {
	const struct timeline *timeline;
	const enum run_code *code;	/* of each object */
	const char *calls_blas;		/* of each task */
	const struct run_span *watched; /* calls, where the run has no timeline */
	size_t nwatched;
	int64_t roi_start_ns; /* CLOCK_MONOTONIC */
};

/* Counts the samples in BLAS code into the shapes of the calls that were in progress: a caller's by
 * its own call, another thread's by the only call of its process at that moment; where there are
 * several, nobody knows whose it was. Does nothing without spans of calls, or where the log is not
 * exact. -1 when memory is out. */
int call_workers_add(const struct call_workers *workers, struct run *run);

#endif
