/* repeats.h: a figure of every run at one thread count, for means and intervals. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_REPEATS_H
#define REPORT_REPEATS_H

#include "report/report.h"

struct repeats {
	double *values; /* owned: free it */
	size_t count;
};

/* The figure of each run in use at this thread count, and of those that were left out as outliers
 * where these are wanted, in the order of the runs; runs whose figure is not a number are left out.
 */
struct repeats repeats_gather(const struct report *report, int threads, int with_outliers,
			      double (*figure)(const struct report_run *run));

/* An interval as wide around the figure of all runs together; NAN from fewer than
 * REPORT_RANGE_RUNS runs. */
struct report_range repeats_range(double value, struct interval interval, size_t runs);

/* Work a second. */
double run_throughput(const struct report_run *run);

/* The runs that ran under the same what-if as the newest (the last), in their order: a fresh array
 * of copies that own nothing (free the array alone). */
struct run *runs_alike(const struct run *runs, size_t count, size_t *alike);

#endif
