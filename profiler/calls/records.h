/* records.h: the record files of a session, opened and indexed, and the rows that are made of them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef CALLS_RECORDS_H
#define CALLS_RECORDS_H

#include "base/error.h"
#include "calls/thread_times.h"
#include "store/run.h"
#include "symbols/address_table.h"
#include "wire/process_file.h"
#include "wire/session.h"

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
