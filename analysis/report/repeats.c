/* repeats.c: gathers the figure of each run at a thread count. */
/* SPDX-License-Identifier: MIT */
#include "report/repeats.h"

#include <math.h>
#include <stdlib.h>

#include "report/build.h"
#include "base/memory.h"

struct repeats repeats_gather(const struct report *report, int threads, int with_outliers,
			      run_figure *figure, const void *context)
{
	struct repeats repeats = {0};

	EACH_AT(run, report, runs, threads) {
		double value = figure(&run->account, context);

		if (isfinite(value) && (run->used || (with_outliers && run->outlier)))
			memory_append(&repeats.values, &repeats.count, sizeof value, &value);
	}
	return repeats;
}

struct interval repeats_range(double value, struct interval interval, size_t runs)
{
	double half = runs < REPORT_RANGE_RUNS ? NAN : (interval.high - interval.low) / 2;

	return interval_around(value, half);
}

struct interval repeats_mean_range(const struct report *report, int threads, double value,
				   run_figure *figure, const void *context)
{
	struct repeats repeats = repeats_gather(report, threads, 0, figure, context);
	struct interval interval = stats_mean_interval(repeats.values, repeats.count);

	free(repeats.values);
	return repeats_range(value, interval, repeats.count);
}

double run_throughput(const struct account *run, const void *context)
{
	return account_throughput(run) * 1e9;
}

struct interval repeats_speedup(const struct report *report, int threads, size_t *runs,
				size_t *base_runs)
{
	struct repeats base = repeats_gather(report, 1, 0, run_throughput, NULL);
	struct repeats point = repeats_gather(report, threads, 0, run_throughput, NULL);
	struct interval speedup =
		stats_ratio_interval(point.values, point.count, base.values, base.count);

	*runs = point.count;
	*base_runs = base.count;
	free(base.values);
	free(point.values);
	return speedup;
}
