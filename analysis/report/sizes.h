/* sizes.h: f, matrix units and speed-up of several experiments, by the parameters of the program.
 */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SIZES_H
#define REPORT_SIZES_H

#include "report/report.h"
#include "store/run.h"
#include "base/error.h"

#define SIZES_PARAMETERS_MAX 6

/* One thread count of one experiment. Figures that do not exist are NAN. */
struct sizes_row {
	const char *values[SIZES_PARAMETERS_MAX]; /* of the parameters in struct sizes */
	const char *experiment;
	int threads, runs;
	double cpus_available;
	struct interval f; /* f(1) */
	int f_estimated;   /* 0, or the thread count that f and the speed-up are estimated from */
	const char *unit_seen;	/* whether threads share a matrix unit: "yes", "no" or "?" */
	struct interval units;	/* fitted m, if a unit is seen */
	double lost, lost_blas; /* speed-up lost at the largest thread count, and to BLAS there */
	struct interval speedup;
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
