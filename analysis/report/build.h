/* build.h: the parts that report_build() is made of. Private to analysis/report. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_BUILD_H
#define REPORT_BUILD_H

#include "report/report.h"

/* What they add is freed by report_free(). */

/* Fills report->runs (accounts and all but `used`) and report->threads. */
void build_runs(const struct run *runs, size_t count, struct report *report);
/* Marks the runs that count and fills report->rows with their sums, speed-ups and predictions. */
void build_rows(const struct run *runs, struct report *report);
/* Fills report->parts and the rows' ranges of wall time, shares and losses, when rows are there. */
void build_parts(struct report *report);
/* Fill report->shapes and ->region_shapes, ->functions, ->regions, ->mpi, ->stacks and ->waits from
 * the runs in use.
 */
void build_shapes(const struct run *runs, struct report *report);
/* Fills report->latencies from the shapes. */
void build_latencies(struct report *report);
void build_functions(const struct run *runs, struct report *report);
/* Fills report->callers, when rows are there. */
void build_callers(const struct run *runs, struct report *report);
/* Fills the shapes' rooflines, when rows and shapes are there. */
void build_roofline(struct report *report);
/* Fill report->categories from ->functions, and report->ways from these and ->shapes. */
void build_categories(struct report *report);
void build_ways(struct report *report);
void build_regions(const struct run *runs, struct report *report);
void build_stacks(const struct run *runs, struct report *report);
#define WAIT_KEYS "in_blas kind function caller file line region" /* of a place of waiting */
void build_waits(const struct run *runs, struct report *report);
/* Fills report->counters, when the rows are there. */
void build_counters(const struct run *runs, struct report *report);
void build_shape_counters(const struct run *runs, struct report *report);
void build_mpi(const struct run *runs, struct report *report);
/* Fills report->processes from the run that report->threads are of. */
void build_processes(const struct run *runs, struct report *report);
/* Fills report->losses, when all of the above is there. */
void build_losses(const struct run *runs, struct report *report);
/* Fills report->causes, likewise. */
void build_causes(const struct run *runs, struct report *report);
/* report->cells, from the options' cells; where this machine's ceilings are not known, also
 * report->ceiling_rows, by the cells of peak and copy. */
void build_cells(struct report *report);
/* 1 where a cell was timed on the machine that the runs are of, and is no ceiling itself. */
int build_cell_is_seen(const struct report *report, const struct cell *cell);
/* Of precision_names[]; "" for neither. */
const char *build_cell_precision(const struct cell *cell);
/* Adds a row to report->ceiling_rows, where a rate is over 0. */
void build_add_ceiling(struct report *report, int threads, const char *name, double flops_per_s,
		       double bytes_per_s);

/* The function with most samples of what only this thread ran: the program's own, as far as stacks
 * tell; "" for none. */
const char *build_alone(const struct run *run, int64_t tid);
/* 1 where code of an OpenMP runtime ran at this thread count. */
int report_runs_openmp(const struct report *report, int threads);
/* The function that the linker knows: what the other was inlined into, or itself. */
const char *outer_function(const struct report_function *function);
/* 1 where BLAS libraries do BLAS work; 0: other code, also where their threads spin. */
int function_is_blas(const struct report_function *function);
/* 1 where the function does matrix work outside BLAS calls. */
int function_is_matrix(const struct report_function *function);
/* The function with most samples of those in libraries that do matrix work, but have no symbols to
 * tell it by, and the share of the samples that these have together; NULL: next to none. */
const struct report_function *report_nameless(const struct report *report, int threads,
					      double *share);
/* The object's name without its folders. */
const char *object_name(const char *path);

/* "cblas_sgemm NT 64 x 64 x 128" into text[]; returns it. */
const char *shape_name(const struct call_shape *shape, char text[SHAPE_NAME_MAX]);
/* The duration that the share of its calls does not exceed, ns. */
double shape_quantile(const struct run_shape *shape, double share);
struct shown_shape shape_shown(const struct call_shape *shape);
/* The share of the callers' time at the thread count; NAN where that is not known. */
double share_of_callers(const struct report *report, int threads, double ns);
/* What the run's work is counted in. */
const char *run_work_unit(const struct run *run);

/* 1 where that exit status means that somebody stopped the command: Ctrl-C, a hangup, kill. */
int status_is_stop(int exit_status);
/* Sets report->scaling's meeting, calls_a_step and stages from the runs of the most threads that do
 * not lack CPUs, or else of the most threads: at barriers, where threads wait at them (or are
 * started anew) again and again; a pipeline, where all threads differ in the size of their calls
 * and block outside BLAS; else freely. */
void meeting_find(const struct run *runs, struct report *report);
/* Does it count joules? */
int report_counter_is_energy(const struct report_counter *row);
/* The row of an event at a thread count, whatever its modifiers; NULL for none. */
const struct report_counter *report_find_counter(const struct report *report, int threads,
						 const char *event);
/* The row of a thread count, or NULL. */
const struct report_row *report_find_row(const struct report *report, int threads);

#endif
