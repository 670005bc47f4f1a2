/* collect.h: turns the shim's record files into rows of a run. */
/* SPDX-License-Identifier: MIT */
#ifndef CALLS_COLLECT_H
#define CALLS_COLLECT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "calls/records.h"
#include "perf/event_list.h"
#include "store/run.h"
#include "symbols/jit_map.h"
#include "wire/session.h"

/* What the sampler needs to know about the calls; free with collected_free(). */
struct collected {
	const char **blas_objects; /* paths of the objects to which calls were forwarded */
	size_t nblas_objects;
	int rank;		  /* of the run in its MPI job, or -1 */
	uint64_t cpus[CPU_WORDS]; /* on which the processes' threads may run; all 0 if unknown */
	struct wait_regions regions;
	struct run_span *watched; /* without a timeline: a sample of the calls over time */
	size_t nwatched;
	struct jit_code *codes; /* named code that processes generated at run time */
	size_t ncodes;
	struct records records; /* with the ROI: both its ends are 0 if no call returned */
};

/* The kind of ROI, and the command's times. */
struct collect_roi {
	enum {
		COLLECT_BEST, /* as COLLECT_CALLS, or COLLECT_PROCESS if most CPU time is outside */
		COLLECT_CALLS, /* from where calls are dense to the end of the work */
		COLLECT_PROCESS,
		COLLECT_REGION, /* a marked region inside threads */
	} kind;
	int64_t started_ns, ended_ns; /* of the command, CLOCK_MONOTONIC; ended_ns 0 if unknown */
	int64_t cpu_ns;		      /* of the command and its children; 0 if unknown */
};

/* What the sampler saw: objects, and the tasks of other PID namespaces, which will be sorted and
 * must live as long as what was collected. */
struct collect_seen {
	struct address_table *addresses; /* those of callers are added */
	struct outer_task *tasks;
	size_t ntasks;
};

/* Opens every process file of the session and adds their processes and objects. `seen` is NULL
 * without a sampler, here and below. Returns 0, or -1 with *err; call collected_free() in either
 * case. */
int collect_open(const struct session_dir *session, const struct collect_roi *roi,
		 const struct collect_seen *seen, struct run *run, struct collected *collected,
		 struct error *err);

/* After collect_open(), adds to the run the threads, shapes, regions, the sequence of calls (if one
 * thread made them all), progress as work, notes and facts. Reads what it can of files that are
 * truncated or damaged, and adds a note. `activity` tells when threads had a CPU; NULL without a
 * sampler. */
void collect_run(const struct session_dir *session, const struct collect_roi *roi,
		 const struct collect_seen *seen, const struct cpu_activity *activity,
		 struct run *run, struct collected *collected);
void collected_free(struct collected *collected);
/* Adds a process of this MPI rank to the run. */
struct run_process *collect_process(struct run *run, int64_t pid, int64_t parent, int rank,
				    const char *command);
/* Sets the run's work and its unit after collect_run(). `asked` is "steps", "flops", or NULL for
 * flops or, if calls with more than 3 % of the calls' time have unknown flops, calls. Any other
 * text means flops. */
void collect_work(const char *asked, struct run *run);

/* roi.c: sets the ROI of the records, and the part of the run's CPU time inside it. If the process
 * is measured instead of the calls' interval, run->roi becomes "process" and the note roi_process
 * says so. Without a sampler, there is no ROI if no call returned. */
void roi_find(const struct collect_roi *roi, struct records *records, struct run *run);

/* Events that this user's threads can read directly from the counters at the same time. */
struct exact_events {
	char names[EXACT_EVENTS][EVENT_NAME_BYTES];
	struct exact_event events[EXACT_EVENTS];
	size_t count;
};

/* Chooses such events from the list by trying them on the calling thread. If there are none,
 * samples tell BLAS from other code. */
void exact_choose(const struct event_list *list, struct exact_events *exact);

/* Adds the shim's counts to run->counters and run->shape_counters. If readings were missed, it only
 * adds the note exact_missed. */
void exact_collect(const struct exact_events *exact, struct records *records, struct run *run);

#endif
