/* records.h: the record files of a session, opened and indexed; the times of a thread inside the
 * region of interest; and the rows that are made of them. */
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

/* A task of another PID namespace: its numbers there, and here. */
struct outer_task {
	uint64_t space; /* as in struct process_header */
	int64_t pid, tid;
	int64_t outer_pid, outer_tid;
};

struct record_file {
	struct process_file file;
	int64_t pid, parent;	       /* in blasprof's own PID namespace as far as that is known */
	const struct outer_task *tids; /* of its threads, in order of tid; not owned */
	size_t ntids;
	struct call_sums *sums; /* by thread serial, over all regions */
	size_t nsums;
	struct task_start *tasks; /* in order of tid */
	size_t ntasks;
	struct gap_record *gaps; /* complete ones, in order of thread and time */
	size_t ngaps;
	const struct shape_record **shapes; /* those with calls, in order of key */
	size_t nshapes;
};

/* frame.line, region and the cost are set when the records are opened; the ROI by collect_run(). */
struct records {
	struct record_file *files;
	size_t count;
	struct thread_frame frame;
};

/* Opens all record files of the session. Files that are truncated or damaged give what can be read;
 * one of which nothing can be read gets a note (run NULL: nothing does). 0, or -1 with *err. Call
 * records_close() in every case. */
int records_open(struct records *records, const struct session_dir *session, struct run *run,
		 struct error *err);
/* Gives the processes of other PID namespaces the numbers that they have here. `tasks` are put in
 * order, and must stay as long as the records. */
void records_number(struct records *records, struct outer_task *tasks, size_t count);
/* The number of a thread of the file, likewise. */
int64_t record_tid(const struct record_file *file, int64_t tid);
void records_close(struct records *records);
/* A thread's sums over all regions; zeros for a record that is damaged. */
struct call_sums record_sums(const struct record_file *file, const struct thread_record *thread);
/* The thread's gaps, *count of them. */
const struct gap_record *record_gaps(const struct record_file *file,
				     const struct thread_record *thread, size_t *count);
/* All that is known of the thread; sums are its own, over all regions. */
struct thread_source record_source(const struct records *records, const struct record_file *file,
				   const struct thread_record *record,
				   const struct call_sums *sums);
/* An amount of work as recorded; 0 for what none can be. */
double sound_amount(double amount);
/* The same for a sum of call_sums.h, by its type. */
#define SOUND_COUNT(count) (count)
#define SOUND_REAL(amount) sound_amount(amount)
/* The name of a region by its number, "" for none. */
void record_region(struct record_file *file, uint64_t region, char name[REGION_NAME_BYTES]);

/* Adds the threads to the run, with `process` the row of the first file's process, what they marked
 * as done to run->work, their regions and their calls of other intercepted libraries. */
void collect_threads(struct records *records, int process, struct run *run);
/* The sequence of calls, where one thread of all made them. */
void collect_pairs(struct records *records, struct run *run);
/* Adds shapes, and who made the calls, by the symbols of the objects that called. */
void collect_shapes(struct records *records, struct run *run);
void collect_callers(struct records *records, const struct address_table *seen, struct run *run);
/* Adds the threads' timelines to the run, with a note of how many calls are not in them, and the
 * calls that were watched to *watched. */
void collect_timeline(struct records *records, struct run *run, struct run_span **watched,
		      size_t *nwatched);
/* Adds what the process's BLAS libraries say of themselves to the run's facts. */
void collect_libraries(const struct process_header *header, struct run *run);

/* What was called, without its work and times. */
struct call_shape shape_of(struct record_file *file, const struct shape_key *key);
/* The same of a routine by its number: its common name, which other one it was called by, its type.
 */
void shape_set_routine(struct call_shape *shape, size_t id);

#endif
