/* sizes.h: f, matrix units and speed-up against what a program was run with: where contention
 * fades. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SIZES_H
#define REPORT_SIZES_H

#include "report/report.h"
#include "store/run.h"
#include "base/error.h"

#define SIZES_PARAMETERS_MAX 6

/* One thread count of one experiment. Figures that do not exist are NAN. */
struct sizes_row {
	const char *values[SIZES_PARAMETERS_MAX]; /* as of struct sizes */
	char *experiment;			  /* owned */
	int threads, runs;
	double cpus_available;
	double f; /* f(1) */
	struct report_range f_range;
	int f_estimated; /* 0, or the thread count that f and the speed-up are estimated from */
	const char *unit_seen; /* "yes", "no" or "?": is there a matrix unit that threads share? */
	double units;	       /* fitted m, where one is seen */
	struct report_range units_range;
	double lost, lost_blas; /* speed-up lost at the most threads, and of it to BLAS */
	double speedup;
	struct report_range speedup_range;
};

/* Zero it, set title and names, add experiments. Title, names and values are the caller's and
 * outlive it. */
struct sizes {
	const char *title;			 /* what was run, for people */
	const char *names[SIZES_PARAMETERS_MAX]; /* of the parameters */
	size_t nnames;
	struct sizes_row *rows; /* by experiment as added, then by thread count */
	size_t count;
	char *what_if; /* what was changed in the runs, "" for nothing; NULL before there are any */
};

/* Adds an experiment, by its runs, that was made with these values of the parameters. 0, or -1 with
 * *err: as report_build(). */
int sizes_add(struct sizes *sizes, const char *const *values, const struct run *runs, size_t count,
	      struct error *err);
void sizes_free(struct sizes *sizes);

#endif
