/* records.h: opens and indexes the record files of a session, computes the times of threads inside
 * the region of interest, and makes rows of a run. */
/* SPDX-License-Identifier: MIT */
#ifndef CALLS_RECORDS_H
#define CALLS_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/density.h"
#include "store/run.h"
#include "symbols/address_table.h"
#include "wire/layout.h"
#include "wire/process_file.h"
#include "wire/session.h"

/* A time off the CPU. All times here are CLOCK_MONOTONIC. */
struct off_span {
	int64_t start_ns, end_ns;
	uint32_t task;	/* the sampler's number of it */
	int is_waiting; /* 0: runnable */
};

struct active_task {
	int64_t pid, tid;
	int64_t start_ns, end_ns;
	size_t first, count; /* its spans, sorted by time */
	uint64_t samples_blas, samples_other, samples_kernel;
};

/* The sampler fills it; free with activity_free(). */
struct cpu_activity {
	struct active_task *tasks; /* sorted by tid; a tid that was reused has several */
	size_t ntasks;
	struct off_span *spans;
	size_t nspans;
};
void activity_free(struct cpu_activity *activity);

/* Returns the task with these ids that was alive within [from_ns, to_ns], or NULL. */
const struct active_task *activity_find(const struct cpu_activity *activity, int64_t pid,
					int64_t tid, int64_t from_ns, int64_t to_ns);

/* Returns the task's times within [from_ns, to_ns]; their sum is how long it was alive there. */
struct task_times {
	int64_t on_cpu_ns, waiting_ns, preempted_ns;
};
struct task_times activity_between(const struct cpu_activity *activity,
				   const struct active_task *task, int64_t from_ns, int64_t to_ns);
/* Fills bursts[], which has room for task->count + 1, with the task's times on the CPU from from_ns
 * on. Returns their number. */
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

/* Returns the length of the part of [start, end] that lies in [from, to], in ns. */
static inline int64_t overlap_ns(int64_t start_ns, int64_t end_ns, int64_t from_ns, int64_t to_ns)
{
	return larger(smaller(end_ns, to_ns) - larger(start_ns, from_ns), 0);
}

/* The measured times between a thread's first and last call, in ns, including the profiler's own
 * cost. */
struct raw_times {
	int64_t span_ns;    /* from the first call to the last */
	int64_t booking_ns; /* the part in which the profiler read its clocks */
	/* Inside the calls of each intercepted category. CAT_OTHER is the time between calls; its
	 * ns is not used, because it is the rest of the span. */
	struct {
		int64_t ns, waiting_ns, preempted_ns;
	} in[CAT_COUNT];
	int64_t queue_ns; /* the part of BLAS spent queueing for a unit (what-if) */
	/* calibrated cost of the calls, in BLAS and between calls */
	double own_inside_ns, own_outside_ns;
};

/* Adds the times to *split without the profiler's own cost, and returns that cost. Each part is
 * limited to what is left of the time that contains it, so that the categories and the cost add up
 * to span_ns and none is negative, even if the record is damaged. */
int64_t time_split_add_raw(struct time_split *split, const struct raw_times *raw);

/* What is needed to interpret a thread's record. */
struct thread_frame {
	int region; /* 1: the ROI is a marked region, so no time before or after the calls counts */
	struct clock_line line;
	int64_t roi_start_ns, roi_end_ns;    /* CLOCK_MONOTONIC */
	const struct cpu_activity *activity; /* NULL if nothing recorded when threads had a CPU */
	double call_inside_ns, call_outside_ns; /* the shim's calibrated cost */
};

/* Returns the times of all calls and gaps in the sums. */
struct time_split sums_times(const struct thread_frame *frame, const struct call_sums *sums);

/* A thread's record with what belongs to it. */
struct thread_source {
	const struct thread_frame *frame;
	const struct thread_record *record;
	const struct call_sums *sums; /* over all regions */
	/* what the thread had used before its process's first call; NULL if it began later */
	const struct task_start *task;
	const struct gap_record *gaps; /* the thread's, sorted by time */
	size_t ngaps;
	int64_t pid, tid;
	int64_t process_ns; /* when its process made its first call, CLOCK_MONOTONIC */
	/* the same if the process had executed another program before, else 0; and of the program
	 * that it executes next, 0 if there is none */
	int64_t program_ns, next_ns;
};

static inline int64_t source_ns(const struct thread_source *source, uint64_t ticks)
{
	return clock_line_ns(&source->frame->line, ticks);
}

/* Return when the thread made its first call, and when it returned from its last one. */
int64_t source_first_ns(const struct thread_source *source);
int64_t source_last_ns(const struct thread_source *source);
/* Returns the CPU time that the thread used after its last call, or -1 if it is unknown. */
int64_t source_tail_cpu_ns(const struct thread_source *source);

/* Sets the times of *thread. Between its first and last call they are exact if the ROI begins and
 * ends outside of them or in one of the thread's gaps; otherwise calls are assumed to be spread
 * evenly between its gaps. For the time before the first call, after the last one and inside a gap,
 * source->frame->activity is used. Without it, as much CPU time as fits is assumed to lie inside
 * the ROI, and to come before any waiting in a gap and after the last call; but a thread with all
 * calls before the ROI is assumed to compute before and after it first. The parts always add up to
 * end_ns
 * - start_ns. */
void thread_times(const struct thread_source *source, struct run_thread *thread);

/* Returns the times of the thread in a region, inside the ROI: without the parts of its gaps
 * outside the ROI. If more of its time is outside, that counts in each region in proportion. */
struct time_split region_times(const struct thread_source *source,
			       const struct region_record *record);

/* A task of another PID namespace: its ids there and in blasprof's namespace (outer). */
struct outer_task {
	uint64_t space; /* as in struct process_header */
	int64_t pid, tid;
	int64_t outer_pid, outer_tid;
};

struct record_file {
	struct process_file file;
	int64_t pid, parent;		/* in blasprof's PID namespace if known */
	const struct outer_task *outer; /* sorted tasks of all processes; borrowed */
	size_t nouter;
	/* By thread serial: the thread (or NULL), and its sums over all regions. */
	const struct thread_record **threads;
	struct call_sums *sums;
	size_t nsums;
	struct task_start *tasks; /* sorted by tid */
	size_t ntasks;
	struct gap_record *gaps; /* the complete ones, sorted by thread and time */
	size_t ngaps;
	const struct shape_record **shapes; /* those with calls, sorted by key */
	size_t nshapes;
};

/* records_open() sets frame.line and the cost, collect_open() sets frame.region, and collect_run()
 * the ROI. */
struct records {
	struct record_file *files; /* programs of one process follow each other */
	size_t count;
	struct thread_frame frame;
};

/* Opens all record files of the session, and reads what it can of files that are truncated or
 * damaged. Adds a note for each file of which nothing can be read, unless run is NULL. Returns 0,
 * or -1 with *err; call records_close() in either case. */
int records_open(struct records *records, const struct session_dir *session, struct run *run,
		 struct error *err);
/* Translates the pids and tids of other PID namespaces into blasprof's. Sorts `tasks`, which must
 * live as long as the records. */
void records_number(struct records *records, struct outer_task *tasks, size_t count);
/* Returns the tid of a thread of the file in blasprof's PID namespace if known. */
int64_t record_tid(const struct record_file *file, int64_t tid);
void records_close(struct records *records);
/* Returns the thread with this serial, or NULL if its record is damaged. */
const struct thread_record *record_thread(const struct record_file *file, uint64_t serial);
/* Returns a thread's sums over all regions; zeros if its record is damaged. */
const struct call_sums *record_sums(const struct record_file *file,
				    const struct thread_record *thread);
/* Returns the thread's record with all that belongs to it. */
struct thread_source record_source(const struct records *records, const struct record_file *file,
				   const struct thread_record *record);
/* The text in an array of a record, which may lack the zero byte at the end. */
#define TEXT(array) string_printf("%.*s", (int)sizeof(array), array)
/* Returns a recorded amount of work, or 0 if it is invalid. */
double valid_amount(double amount);
/* Converts a sum of call_sums.h to its column's type. */
#define AS_COUNT(sum) (sum)
#define AS_REAL(sum)  ((double)(sum))
/* Returns the name of the region with this number, in the string pool; "" if there is none. */
const char *record_region(struct record_file *file, uint64_t region);

/* Adds the threads to the run with their regions, their MPI calls, and the progress that they
 * marked (to run->work). The run's processes are those of the files, in their order. */
void collect_threads(struct records *records, struct run *run);
/* Adds the sequence of calls if a single thread made them all. */
void collect_pairs(struct records *records, struct run *run);
/* Add the shapes, and the callers, whose addresses are added to the table and named. */
void collect_shapes(struct records *records, struct run *run);
void collect_callers(struct records *records, struct address_table *addresses, struct run *run);
/* Adds the threads' timelines to the run, with a note if calls are missing in them, and the watched
 * calls to *watched. */
void collect_timeline(struct records *records, struct run *run, struct run_span **watched,
		      size_t *nwatched);

/* Returns the shape of a call, without its work and times. */
struct call_shape shape_of(struct record_file *file, const struct shape_key *key);
/* Sets routine, variant (if it was called by another than the common name), type and way of the
 * shape. */
void shape_set_routine(struct call_shape *shape, size_t id);

/* wait_regions.c */

/* The name of the region if the record is incomplete: "?". No other name is at this address. */
extern const char region_unknown[];

/* A thread's visit to a region, during which it left the CPU. CLOCK_MONOTONIC. */
struct region_visit {
	int64_t pid, tid, start_ns, end_ns;
	const char *name; /* of the string pool */
};
/* All zero if no thread was in a region. */
struct wait_regions {
	struct region_visit *visits;
	size_t nvisits;
	struct region_visit *gaps; /* of processes (tid 0): visits from start_ns on are missing */
	size_t ngaps;
};

/* Call it after visits were added. */
void wait_regions_sort(struct wait_regions *regions);
/* Returns the name of the region in which the thread was during the wait, "" if it was in none.
 * With `exact` 0 the interval may cover several waits, and the result is region_unknown if the
 * thread was in more than one region, or also outside of all. */
const char *wait_regions_find(const struct wait_regions *regions, const struct region_visit *wait,
			      int exact);
/* Adds the visits in the record files, and sorts them. */
void wait_regions_collect(struct wait_regions *regions, struct records *records);
void wait_regions_free(struct wait_regions *regions);

#endif
