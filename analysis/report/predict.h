/* predict.h: speed-ups at thread and unit counts that were not measured, from recorded runs or from
 * a given f. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_PREDICT_H
#define REPORT_PREDICT_H

#include "report/report.h"

/* A thread count and a unit count. Figures that do not exist are NAN. */
struct prediction_row {
	const char *experiment; /* owned by the prediction */
	int threads;
	double cpus_available;
	struct interval units; /* as asked for, without ends, or the fitted m; INFINITY: none */
	int units_fitted;      /* 1: units is the fitted m */
	struct interval f, d;
	int f_estimated;
	struct interval measured; /* at this thread count, whatever the units */
	struct interval predicted[MODELS];
};

/* What is known of a program, and what it predicts. */
struct prediction {
	char *experiment;      /* "" where f was given */
	char *what_if;	       /* what was changed in its runs, "" for nothing */
	size_t runs;	       /* how many runs it stands on */
	size_t runs_other;     /* runs that were left out, for they ran under another what-if */
	double cpus_available; /* 0 where f was given */
	struct scaling scaling;
	struct prediction_row *rows; /* by units, then by threads, as they were asked for */
	size_t nrows;
};

#define PREDICTION_ROWS_MAX 4096

/* From runs of one experiment, the newest last, of which those count that ran under the same
 * what-if as the newest. 0, or -1 with *err: no run with a BLAS call, no way to f(1). */
int prediction_from_runs(const struct run *runs, size_t count, struct prediction *prediction,
			 struct error *err);
/* From f(1) alone. */
void prediction_from_f(double f, struct prediction *prediction);

struct prediction_grid {
	int *threads, *units;
	size_t nthreads, nunits;
};
/* Fills rows for all threads and units, and for the fitted m where one was seen. Without units in
 * the grid, for those that the scaling says. 0, or -1 with *err: over PREDICTION_ROWS_MAX. */
int prediction_build_rows(struct prediction *prediction, const struct prediction_grid *grid,
			  struct error *err);
/* Frees what any of the above has left, also when it failed. */
void prediction_free(struct prediction *prediction);

#endif
