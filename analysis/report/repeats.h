/* repeats.h: the figure of each run at a thread count, for means and intervals. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_REPEATS_H
#define REPORT_REPEATS_H

#include "report/report.h"

struct repeats {
	double *values; /* owned: free it */
	size_t count;
};

/* Returns the figure of each run in use at this thread count, in the order of the runs;
 * with_outliers adds runs that were left out as outliers. Figures that are not finite are skipped.
 */
struct repeats repeats_gather(const struct report *report, int threads, int with_outliers,
			      double (*figure)(const struct report_run *run));

/* Centres an interval on the figure of all runs together; NAN with fewer than REPORT_RANGE_RUNS
 * runs. */
struct report_range repeats_range(double value, struct interval interval, size_t runs);

/* Work per second. */
double run_throughput(const struct report_run *run);

/* Returns the runs with the same what-if as the newest (the last), in their order: a fresh array of
 * copies that own nothing, so free only the array. */
struct run *runs_alike(const struct run *runs, size_t count, size_t *alike);

#endif
