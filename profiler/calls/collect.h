/* collect.h: turns the shim's record files into the run's threads, shapes and processes. */
/* SPDX-License-Identifier: MIT */
#ifndef CALLS_COLLECT_H
#define CALLS_COLLECT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "calls/records.h"
#include "calls/wait_regions.h"
#include "perf/event_list.h"
#include "store/run.h"
#include "symbols/jit_map.h"
#include "wire/session.h"

/* What the sampler needs to know of the calls; free with collected_free(). */
struct collected {
	int64_t roi_start_ns, roi_end_ns; /* CLOCK_MONOTONIC; both 0 where no call returned */
	char **blas_objects;		  /* paths of the objects that calls were forwarded to */
	size_t nblas_objects;
	int rank;		  /* of the run in its MPI job; -1: in none */
	int process;		  /* row of the first file's process in the run */
	uint64_t cpus[CPU_WORDS]; /* that the processes' threads may run on; all 0: not known */
	struct wait_regions regions;
	struct run_span *
		watched; /* calls of a part of the callers' time, where no timeline was asked for */
	size_t nwatched;
	struct jit_code *codes; /* that processes made at run time, and named */
	size_t ncodes;
	struct records records;
};

/* What the ROI is. */
struct collect_roi {
	enum {
		COLLECT_BEST, /* the calls' interval, or the process where that has most CPU time */
		COLLECT_CALLS, /* from where calls are dense to the end of the work */
		COLLECT_PROCESS,
		COLLECT_REGION, /* a marked region inside threads */
	} kind;
	int64_t started_ns, ended_ns; /* the command, CLOCK_MONOTONIC; an end of 0: not known */
	int64_t cpu_ns;		      /* that it used with its children; 0: not known */
};

/* What the sampler saw: objects, and the tasks of other PID namespaces (which are put in order, and
 * must stay as long as what was collected). */
struct collect_seen {
	const struct address_table *addresses;
	struct outer_task *tasks;
	size_t ntasks;
};

/* Opens every process file of the session, and learns from them which processes and objects there
 * are. seen: NULL without a sampler, here and below. Call collected_free() in every case. */
int collect_open(const struct session_dir *session, const struct collect_roi *roi,
		 const struct collect_seen *seen, struct run *run, struct collected *collected,
		 struct error *err);

/* After collect_open() reads every process file of the session and adds threads, shapes, regions,
 * the sequence of calls (where one thread made them all), progress as work, processes, notes and
 * facts (blas, blas_path, blas_version, blas_core, blas_threads, clock) to the run. Files that are
 * truncated or damaged give what can be read, and a note. activity: when threads had a CPU; NULL
 * without a sampler. */
int collect_run(const struct session_dir *session, const struct collect_roi *roi,
		const struct collect_seen *seen, const struct cpu_activity *activity,
		struct run *run, struct collected *collected, struct error *err);
void collected_free(struct collected *collected);
/* Adds a process to the run, of this MPI rank. */
struct run_process *collect_process(struct run *run, int64_t pid, int64_t parent, int rank,
				    const char *command);
/* What the run's work is counted in, after collect_run(): asked is "steps", "flops", or NULL for
 * flops, or for calls where more than 3 % of their time has no flops that are known. Another text
 * leaves flops. */
void collect_work(const char *asked, struct run *run);

/* roi.c: finds the ROI, and which part of the CPU time lies in it; run->roi becomes "process" where
 * that is measured instead, with the note roi_process. Nothing is found where no call returned.
 */
void roi_find(const struct collect_roi *roi, struct records *records, struct run *run);

/* Events of the list that this user may read from the counters themselves, all at once. */
struct exact_events {
	char names[EXACT_EVENTS][EVENT_NAME_BYTES];
	struct exact_event events[EXACT_EVENTS];
	size_t count;
};

/* Tries them on the caller. None is no failure: samples then tell BLAS from other code. */
void exact_choose(const struct event_list *list, struct exact_events *exact);

/* Adds what the shim counted to run->counters and run->shape_counters, unless a reading was missed:
 * then a note (exact_missed). */
void exact_collect(const struct exact_events *exact, struct records *records, struct run *run);

#endif
