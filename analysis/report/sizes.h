/* sizes.h: f, matrix units and speed-up of several experiments, by the parameters of the program.
 */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SIZES_H
#define REPORT_SIZES_H

#include "report/report.h"
#include "store/run.h"
#include "base/error.h"

#define SIZES_PARAMETERS_MAX 6

/* The members of a row, and its columns: X(name, type, unit, documentation), and RANGE(name, unit,
 * documentation) for a struct interval, which has two more columns for its ends. */
#define SIZES_COLUMNS(X, RANGE)                                                                    \
	X(threads, INT, "threads", "thread count N")                                               \
	X(runs, INT, "runs", "runs at this thread count")                                          \
	X(cpus_available, REAL, "CPUs", "CPUs that the runs could use")                            \
	RANGE(f, "", "BLAS share of the work at one thread")                                       \
	X(f_estimated, INT, "threads",                                                             \
	  "not 0: f and the speed-up are estimates from runs at this thread count")                \
	X(unit_seen, STRING, "",                                                                   \
	  "yes: threads share matrix units; no: none is seen; ?: not known")                       \
	RANGE(units, "units", "matrix units that the machine behaves as if it had")                \
	X(lost, REAL, "", "speed-up lost at the largest thread count")                             \
	X(lost_blas, REAL, "", "part of it lost to BLAS calls that got slower")                    \
	RANGE(speedup, "", "measured speed-up over one thread")                                    \
	X(experiment, STRING, "", "the command with the thread count replaced by {}")

/* One thread count of one experiment. Figures that do not exist are NAN. */
struct sizes_row {
	const char *values[SIZES_PARAMETERS_MAX]; /* of the parameters in struct sizes */
#define MEMBER(name, type, unit, doc) CTYPE_##type name;
#define RANGE(name, unit, doc)	      struct interval name;
	SIZES_COLUMNS(MEMBER, RANGE)
#undef MEMBER
#undef RANGE
};

/* Zero it, set title and names, and add experiments. Title, names and values stay owned by the
 * caller, and must outlive it. */
struct sizes {
	const char *title;			 /* what was run, for the reader */
	const char *names[SIZES_PARAMETERS_MAX]; /* of the parameters */
	size_t nnames;
	struct sizes_row *rows; /* by experiment as added, then by thread count */
	size_t count;
	const char *what_if; /* of the runs, "" for none; NULL before there are any runs */
};

/* Adds the runs of an experiment that was made with these values of the parameters. Returns 0, or
 * -1 with *err, as report_build(). */
int sizes_add(struct sizes *sizes, const char *const *values, const struct run *runs, size_t count,
	      struct error *err);
void sizes_free(struct sizes *sizes);

#endif
