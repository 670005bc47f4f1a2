/* call_workers.h: how much of the calls of each shape runs in BLAS's own threads, where there is a
 * timeline. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_CALL_WORKERS_H
#define RECORD_CALL_WORKERS_H

#include "record/timeline.h"
#include "store/run.h"

/* Counts the samples in BLAS code into the shapes of the calls that were in progress: a caller's by
 * its own call, another thread's by the only call of its process at that moment; where there are
 * several, nobody knows whose it was. Does nothing without spans of calls, or where the log is not
 * exact. code[]: of each object; calls_blas[]: of each task. roi_start_ns: CLOCK_MONOTONIC. -1 when
 * memory is out. */
int call_workers_add(const struct timeline *timeline, const enum run_code *code,
		     const char *calls_blas, int64_t roi_start_ns, struct run *run);

#endif
