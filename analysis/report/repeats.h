/* repeats.h: the figure of each run at a thread count, for means and intervals. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_REPEATS_H
#define REPORT_REPEATS_H

#include "report/report.h"

struct repeats {
	double *values; /* owned: free it */
	size_t count;
};

/* A figure of one run; the context is the caller's. */
typedef double run_figure(const struct account *run, const void *context);

/* Returns the figure of each run in use at this thread count, in the order of the runs;
 * with_outliers adds runs that were left out as outliers. Figures that are not finite are skipped.
 */
struct repeats repeats_gather(const struct report *report, int threads, int with_outliers,
			      run_figure *figure, const void *context);

/* Centres an interval on the figure of all runs together; NAN with fewer than REPORT_RANGE_RUNS
 * runs. */
struct interval repeats_range(double value, struct interval interval, size_t runs);
/* The same for the interval of the mean of the runs in use. */
struct interval repeats_mean_range(const struct report *report, int threads, double value,
				   run_figure *figure, const void *context);

/* Work per second; needs no context. */
double run_throughput(const struct account *run, const void *context);
/* The speed-up over one thread, from the throughputs of the runs in use, and how many of these each
 * thread count has. */
struct interval repeats_speedup(const struct report *report, int threads, size_t *runs,
				size_t *base_runs);

#endif
