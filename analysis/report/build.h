/* build.h: the parts that report_build() is made of. Private to analysis/report. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_BUILD_H
#define REPORT_BUILD_H

#include "report/report.h"

/* All: 0, or -1 when memory is out; what they add is freed by report_free(). */

/* Fills report->runs (accounts and all but `used`) and report->threads. */
int build_runs(const struct run *runs, size_t count, struct report *report);
/* Marks the runs that count and fills report->rows with their sums, speed-ups and predictions. */
int build_rows(const struct run *runs, struct report *report);
/* Fills report->parts and the rows' ranges of wall time, shares and losses, when rows are there. */
int build_parts(struct report *report);
/* Fill report->shapes and ->region_shapes, ->functions, ->regions, ->mpi, ->stacks and ->waits from
 * the runs in use.
 */
int build_shapes(const struct run *runs, struct report *report);
/* Fills report->latencies from the shapes. */
int build_latencies(struct report *report);
int build_functions(const struct run *runs, struct report *report);
/* Fills report->callers, when rows are there. */
int build_callers(const struct run *runs, struct report *report);
/* Fills the shapes' rooflines, when rows and shapes are there. */
int build_roofline(struct report *report);
/* Fills report->categories from ->functions. */
int build_categories(struct report *report);
int build_regions(const struct run *runs, struct report *report);
int build_stacks(const struct run *runs, struct report *report);
int build_waits(const struct run *runs, struct report *report);
/* Fills report->counters, when the rows are there. */
int build_counters(const struct run *runs, struct report *report);
int build_shape_counters(const struct run *runs, struct report *report);
int build_mpi(const struct run *runs, struct report *report);
/* Fills report->processes from the run that report->threads are of. */
int build_processes(const struct run *runs, struct report *report);
/* Fills report->timeline. */
int build_timeline(const struct run *runs, size_t count, struct report *report);
void report_timeline_free(struct report_timeline *timeline);
/* Fills report->losses, when all of the above is there. */
int build_losses(const struct run *runs, struct report *report);
/* report->cells, from the options' cells; where this machine's ceilings are not known, also
 * report->ceiling_rows, by the cells of peak and copy. */
int build_cells(struct report *report);
/* 1 where a cell was timed on the machine that the runs are of, and is no ceiling itself. */
int build_cell_is_seen(const struct report *report, const struct cell *cell);
/* Of precision_names[]; "" for neither. */
const char *build_cell_precision(const struct cell *cell);
/* Adds a row to report->ceiling_rows, where a rate is over 0: -1 when memory is out. */
int build_add_ceiling(struct report *report, int threads, const char *name, double flops_per_s,
		      double bytes_per_s);

/* A row of a run, with the thread count that it counts for. */
struct item {
	int threads;
	const void *row; /* struct run_shape, run_function, run_region or run_mpi */
};
struct items {
	struct item *items; /* owned: free it */
	size_t count;
};
/* Gathers the rows of one part of the runs in use, sorted so that what belongs together is
 * together. */
int gather_items(const struct run *runs, const struct report *report, enum run_part part,
		 int (*compare)(const void *, const void *), struct items *all);
/* -1, 0 or 1, as qsort() wants it. */
int order_numbers(int64_t a, int64_t b);
/* The same of the first pair that differs. */
int order_pairs(const int64_t pairs[][2], size_t count);
/* The numbers that tell the shapes of two rows of a run apart, as such pairs. */
#define SHAPE_PAIRS(x, y)                                                                          \
	{(x)->shape.transa, (y)->shape.transa}, {(x)->shape.transb, (y)->shape.transb},            \
		{(x)->shape.m, (y)->shape.m}, {(x)->shape.n, (y)->shape.n},                        \
		{(x)->shape.k, (y)->shape.k},                                                      \
	{                                                                                          \
		(x)->shape.other_shapes, (y)->shape.other_shapes                                   \
	}

/* The function that the linker knows: what the other was inlined into, or itself. */
const char *outer_function(const struct report_function *function);
/* 1 where BLAS libraries do BLAS work; 0: other code, also where their threads spin. */
int function_is_blas(const struct report_function *function);
/* The object's name without its folders. */
const char *object_name(const char *path);

/* "cblas_sgemm NT 64 x 64 x 128" into text[]; returns it. */
#define SHAPE_NAME_MAX 120
const char *shape_name(const struct report_shape *shape, char text[SHAPE_NAME_MAX]);
/* What the run's work is counted in. */
const char *run_work_unit(const struct run *run);

/* The row of a thread count, or NULL. */
const struct report_row *report_find_row(const struct report *report, int threads);

#endif
