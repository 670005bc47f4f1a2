/* build.h: the parts of report_build(), and what they share. Private to analysis/report. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_BUILD_H
#define REPORT_BUILD_H

#include "report/report.h"

/* Each of these fills the part of the report in its name, or what its comment says, from the runs
 * in use; they are called in this order, since each may read what those before it filled.
 * report_free() frees what they add. */

/* Fills report->runs, except `used`, and report->threads. */
void build_runs(const struct run *runs, size_t count, struct report *report);
/* Marks the runs in use and fills report->rows with their sums, speed-ups and predictions. */
void build_rows(const struct run *runs, struct report *report);
/* Fills report->parts and the rows' ranges of wall time, shares and losses. */
void build_parts(struct report *report);
/* Fills report->shapes and report->region_shapes. */
void build_shapes(const struct run *runs, struct report *report);
/* Fills the rooflines of the shapes, and report->ceiling_rows. */
void build_roofline(struct report *report);
void build_latencies(struct report *report);
void build_callers(const struct run *runs, struct report *report);
void build_functions(const struct run *runs, struct report *report);
void build_categories(struct report *report);
void build_ways(struct report *report);
void build_regions(const struct run *runs, struct report *report);
void build_mpi(const struct run *runs, struct report *report);
/* Fills report->processes from the run that report->threads come from. */
void build_processes(const struct run *runs, struct report *report);
void build_counters(const struct run *runs, struct report *report);
void build_shape_counters(const struct run *runs, struct report *report);
void build_stacks(const struct run *runs, struct report *report);
#define WAIT_KEYS "in_blas kind function caller file line region" /* the place of a wait */
void build_waits(const struct run *runs, struct report *report);
void build_losses(const struct run *runs, struct report *report);
void build_causes(const struct run *runs, struct report *report);
/* Fills report->cells from the options' cells. If this machine's ceilings are not known, also fills
 * report->ceiling_rows, from cells of the categories peak and copy. */
void build_cells(struct report *report);

/* 1 if a cell was timed on the machine of the runs, and is not a ceiling itself. */
int build_cell_is_seen(const struct report *report, const struct cell *cell);
/* One of precision_names[], or "". */
const char *build_cell_precision(const struct cell *cell);
/* Adds a row to report->ceiling_rows if one of the rates is above 0. */
void build_add_ceiling(struct report *report, int threads, const char *name, double flops_per_s,
		       double bytes_per_s);

/* The function with most samples in code that only this thread ran; a function of the program
 * itself, as far as stacks tell. "" for none. NULL if most of that code is BLAS and stacks do not
 * tell who called it. */
const char *build_alone(const struct run *run, int64_t tid);
/* The program's function from which most samples of callers outside BLAS were called. "" if there
 * is none, or if most of these are in the function itself, or all were called from main(). */
const char *build_outside(const struct run *run);
/* 1 if code of an OpenMP runtime ran at this thread count. */
int report_runs_openmp(const struct report *report, int threads);
/* The function that the linker knows: the one into which this was inlined, or itself. */
const char *outer_function(const struct report_function *function);
/* 1 if a BLAS library does BLAS work in the function; 0 for other code, and when it spins. */
int function_is_blas(const struct report_function *function);
/* 1 if the function does matrix work outside BLAS calls. */
int function_is_matrix(const struct report_function *function);
/* The function with most samples in libraries that may do matrix work but have no symbols, or NULL
 * if there are next to none. *share is the share of the samples that such functions have together.
 */
const struct report_function *report_nameless(const struct report *report, int threads,
					      double *share);
/* The file name of a path. */
const char *object_name(const char *path);

/* Writes "cblas_sgemm NT 64 x 64 x 128"; returns text. */
const char *shape_name(const struct call_shape *shape, char text[SHAPE_NAME_MAX]);
/* The duration, in ns, that this share of the calls does not exceed. */
double shape_quantile(const struct run_shape *shape, double share);
struct shown_shape shape_shown(const struct call_shape *shape);
/* The share that ns have of the callers' time at the thread count; NAN if that is not known. */
double share_of_callers(const struct report *report, int threads, double ns);
/* The unit of the run's work. */
const char *run_work_unit(const struct run *run);

/* 1 if the exit status means that somebody stopped the command: Ctrl-C, a hangup, kill. */
int status_is_stop(int exit_status);
/* 1 if it counts joules. */
int report_counter_is_energy(const struct report_counter *row);
/* The row of an event, with any modifiers, at a thread count; NULL if there is none. */
const struct report_counter *report_find_counter(const struct report *report, int threads,
						 const char *event);
/* The row of a thread count, or NULL. */
const struct report_row *report_find_row(const struct report *report, int threads);

#endif
