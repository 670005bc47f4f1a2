/* collect_parts.h: the parts that collect_run() is made of. Private to profiler/record. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_COLLECT_PARTS_H
#define RECORD_COLLECT_PARTS_H

#include "calls/collect.h"
#include "wire/process_file.h"
#include "calls/thread_times.h"

/* All that return int: 0, or -1 when memory is out. */

/* Fills file->sums, ->tasks and ->shapes; the others that deal with threads or shapes need it. */
int collect_sums(struct process_file *file);
/* A thread's sums over all regions; zeros for a record that is damaged. */
struct call_sums thread_sums(const struct process_file *file, const struct thread_record *record);
/* An amount of work as recorded; 0 for what none can be. */
double sound_amount(double amount);
/* Adds the file's threads to the run as those of row `process`, and what they marked as done to
 * run->work. */
int collect_threads(struct process_file *file, int process, const struct thread_frame *frame,
		    struct run *run);
/* Where the region of interest is a marked one: notes that no process has marked it, and which
 * names are the nearest. */
int collect_roi_names(struct process_file *files, size_t count, struct run *run);
/* Adds what threads did in regions to the run's regions of the same names. */
int collect_regions(struct process_file *file, const struct thread_frame *frame, struct run *run);
/* Adds the file's shapes, summed over threads and callers; table_merge_rows() makes one of rows
 * with equal keys. */
int collect_shapes(struct process_file *file, const struct thread_frame *frame, struct run *run);
/* Fills in the common name, which other one it was called by, and the type. */
void name_routine(struct run_shape *shape, size_t id);
/* Makes an empty row of what was called. */
void name_shape(struct run_shape *shape, const struct shape_key *key, struct process_file *file);
/* Adds the BLAS libraries of a process: their paths to *collected, what they say to the run's
 * facts. */
int collect_blas(const struct process_header *header, struct run *run, struct collected *collected);
/* What records of one shape say of it, as one row. `count` is at least 1. */
void fill_shape(struct run_shape *shape, const struct shape_record *const *records, size_t count,
		const struct thread_frame *frame, struct process_file *file);
/* Below 0, 0 or above 0, as one shape comes before another; who called does not count. */
int shape_key_order(const struct shape_key *a, const struct shape_key *b);
/* Adds who made the calls, by the symbols of the objects that called. */
int collect_callers(struct process_file *files, size_t count, const struct thread_frame *frame,
		    struct run *run);
/* Adds the file's MPI calls to the run's rows of the same routines. */
int collect_mpi(struct process_file *file, const struct thread_frame *frame, struct run *run);
/* Adds the threads' timelines to the run, with a note of how many calls are not in them, and the
 * calls that were watched to *collected. */
int collect_spans(struct process_file *files, size_t count, const struct thread_frame *frame,
		  struct run *run, struct collected *collected);
/* Adds the regions that threads were in when they left the CPU. */
int collect_stretches(struct process_file *files, size_t count, const struct thread_frame *frame,
		      struct wait_regions *regions);
/* Takes over the sequence of calls of the only thread of all files that made calls. */
int collect_pairs(struct process_file *files, size_t count, const struct thread_frame *frame,
		  struct run *run);

/* The name of a region by its number, "" for none. */
void region_name(struct process_file *file, uint64_t region, char *name, size_t size);

#endif
