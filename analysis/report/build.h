/* build.h: the parts of report_build(), and what they share. Private to analysis/report. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_BUILD_H
#define REPORT_BUILD_H

#include "base/array.h"
#include "report/report.h"

/* Fills the header and the runs, except `used`; otherwise as report_build(). */
int report_begin(const struct run *runs, size_t count, const struct report_options *options,
		 struct report *report, struct error *err);
/* Fills report->runs, except `used`, and report->threads. */
void build_runs(const struct run *runs, size_t count, struct report *report);
/* The other parts, in the order in which they are built, since each may read those before it.
 * build_NAME() fills the part of the report in its name; report_free() frees it.
 * - scripts: the rows' places in the script of an interpreted program
 * - rows: also marks the runs in use; includes speed-ups and predictions
 * - parts: also the rows' ranges of wall time, shares and losses
 * - roofline: that of the shapes, and ceiling_rows
 * - processes: those of the run that report->threads come from
 * - timeline: that of the newest run that has one, sorted for drawing
 * - cells: also ceiling_rows, from cells of the categories peak and copy, if this machine's
 *   ceilings are not known
 * - warnings: first the notes of all runs that compare with the newest, also with codes that have
 *   no row (details are those of the newest run that has the code), then what the checks find */
/* clang-format off */
#define REPORT_PARTS(X) \
	X(rows) X(parts) X(region_shapes) X(shapes) X(roofline) X(latencies) X(callers) \
	X(functions) X(categories) X(ways) X(regions) X(mpi) X(processes) X(counters) \
	X(shape_counters) X(stacks) X(scripts) X(waits) X(timeline) X(losses) X(causes) X(cells) X(warnings)
/* clang-format on */
#define BUILDER(name) void build_##name(struct report *report);
REPORT_PARTS(BUILDER)
#undef BUILDER

/* Iterates over the rows of a table at a thread count: EACH_AT(shape, report, shapes, 2) ... */
#define EACH_AT(row, report, array, count)                                                         \
	EACH_ROW(row, (report)->array, (report)->n##array)                                         \
		if (row->threads == (count))
/* Iterates over the runs in use at a thread count: EACH_RUN_AT(run, report, 2) ... */
#define EACH_RUN_AT(row, report, count)                                                            \
	EACH_ROW(row, (report)->runs, (report)->nruns)                                             \
		if (row->used && row->threads == (count))

/* What other programs used in the run that lost most to them at the thread count; "" if that is not
 * known. */
const char *report_other_programs(const struct report *report, int threads);

#define WAIT_KEYS "in_blas kind function caller file line region" /* the place of a wait */
/* 1 if the time of the wait is a part of the row's waiting: a participant waits, not for a CPU, and
 * outside the calls of BLAS and MPI, whose time is counted as a whole. */
int wait_is_waiting(const struct report_wait *wait, const struct report_row *row);
/* Returns "train.c:120 step()", as far as it is known. Without a caller, that is the library's
 * function, but the system call for a futex, which has no library's, tells nothing: "". */
const char *wait_place(const struct report_wait *wait);

/* 1 if a cell was timed on the machine of the runs, and is not a ceiling itself. */
int build_cell_is_seen(const struct report *report, const struct cell *cell);
/* One of precision_names[], or "". */
const char *build_cell_precision(const struct cell *cell);
/* Adds a row to report->ceiling_rows if one of the rates is above 0. */
void build_add_ceiling(struct report *report, int threads, const char *name, double flops_per_s,
		       double bytes_per_s);

/* Two amounts for each name. In losses these are a contributor's amounts of a category's time at
 * the base and at the thread count that are compared; the unit does not matter there, since only
 * shares of the sum are used. */
struct tally {
	struct tally_entry {
		const char *name;
		double amounts[2];
	} * entries; /* owned: free it */
	size_t count;
};
/* Adds an entry if the amount is above 0. The name is in the string pool, or static. */
void tally_add(struct tally *tally, int side, const char *name, double amount);
/* Sorts the entries by name and sums up those with the same name. */
void tally_merge(struct tally *tally);

/* The function with most samples in code that only this thread ran; a function of the program
 * itself, as far as stacks tell. "" for none, or if that code has too few samples to tell. NULL if
 * most of it is BLAS and stacks do not tell who called it. */
const char *build_alone(const struct run *run, int64_t tid);
/* 1 for functions of the standard libraries of C++ and Rust, and of libraries of templates, which
 * are compiled into programs. Inlined ones of the standard libraries have no namespace. */
int function_is_standard(const char *function);
/* The program's function from which most samples in code of the category were called, also where
 * that entered the kernel; "" if that is not known. categories may be NULL. */
const char *build_calling(const struct run *run, const struct categories *categories,
			  const char *category);
/* The same of what this function of the object runs, or any function of it (NULL). */
const char *build_caller(const struct run *run, const char *object, const char *function);
/* The share of the samples in the kernel, in code without a category of its own, that code of the
 * category called, as a lock does. */
double build_entered(const struct run *run, const struct categories *categories,
		     const char *category);
/* The program's function from which most samples of callers outside BLAS were called. "" if there
 * is none, or if most of these are in the function itself, or all were called from main(). */
const char *build_outside(const struct run *run);
/* 1 if at least half of the samples that end in the function at the location are inside the outer
 * function. */
int build_is_inside(const struct run *run, const char *outer, const struct code_location *location);
/* 1 if it is known that the program loaded no BLAS library. */
int report_loads_no_blas(const struct report *report);
/* 1 if code of an OpenMP runtime ran at this thread count. */
int report_runs_openmp(const struct report *report, int threads);
/* 1 if BLAS's own threads are OpenMP's at this thread count: most of their samples in BLAS were
 * called by its runtime. */
int report_pool_is_openmp(const struct report *report, int threads);
/* The function that the linker knows: the one into which this was inlined, or itself. */
const char *outer_function(const struct report_function *function);
/* The function's name in the table of losses. */
const char *function_contributor(const struct report_function *function);
/* 1 if a BLAS library does BLAS work in the function; 0 for other code, and when it spins. */
int function_is_blas(const struct report_function *function);
/* 1 if the function does matrix work outside BLAS calls. */
int function_is_matrix(const struct report_function *function);
/* The function with most samples in libraries that may do matrix work but have no symbols, or NULL
 * if there are next to none. *share is the share of the samples that such functions have together.
 */
const struct report_function *report_nameless(const struct report *report, int threads,
					      double *share);

/* Returns "cblas_sgemm NT 64 x 64 x 128". */
const char *shape_name(const struct call_shape *shape);
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
/* Returns what the row's speed-up is compared with: the ideal one, that of the whole runs if it
 * says otherwise, and how much time one thread lost to others if that is much. */
const char *report_ideal_text(const struct report *report, const struct report_row *row);
/* The time in which threads had no CPU and it is not known what had the CPUs. */
double unknown_no_cpu_ns(const struct report_row *row);
/* The row of a thread count, or NULL. */
const struct report_row *report_find_row(const struct report *report, int threads);

#endif
