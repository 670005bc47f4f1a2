/* predict.h: predicts speed-ups at any thread and unit counts, from recorded runs or a given f. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_PREDICT_H
#define REPORT_PREDICT_H

#include "report/report.h"

/* The prediction for a thread count and a unit count. Figures that do not exist are NAN. */
struct prediction_row {
	const char *experiment;
	int threads;
	double cpus_available;
	struct interval units; /* asked for, without ends, or the fitted m; INFINITY for none */
	int units_fitted;      /* 1 if units is the fitted m */
	struct interval f, d;
	int f_estimated;
	struct interval measured; /* at this thread count, whatever the units */
	struct interval predicted[MODELS];
};

/* What is known about a program, and the predictions for it. */
struct prediction {
	struct report report; /* on its runs; without any, and with f alone, if f was given */
	struct prediction_row *rows; /* by units, then by threads, as they were asked for */
	size_t nrows;
};

#define PREDICTION_ROWS_MAX 4096

/* Learns from runs of one experiment, the newest last. Returns 0, or -1 with *err: no run with a
 * BLAS call, or f(1) cannot be known. */
int prediction_from_runs(const struct run *runs, size_t count, struct prediction *prediction,
			 struct error *err);
/* Uses f(1) alone. */
void prediction_from_f(double f, struct prediction *prediction);

struct prediction_grid {
	int *threads, *units;
	size_t nthreads, nunits;
};
/* Fills rows for all threads and units of the grid, and for the fitted m if there is one. Without
 * units in the grid, uses those of the scaling. Returns 0, or -1 with *err for more than
 * PREDICTION_ROWS_MAX rows. */
int prediction_build_rows(struct prediction *prediction, const struct prediction_grid *grid,
			  struct error *err);
/* Frees what the functions above allocated, also if they failed. */
void prediction_free(struct prediction *prediction);

#endif
