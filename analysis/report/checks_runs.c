/* checks_runs.c: what is doubtful about a set of runs: what repeats cannot tell, and why. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "report/checks.h"
#include "report/repeats.h"

#define STEAL_MAX 0.02 /* of elapsed x CPUs */

int check_steal(const struct report *report, struct finding *finding)
{
	const struct report_run *worst = NULL;

	for (size_t i = 0; i < report->nruns; i++)
		if (report->runs[i].used && report->runs[i].steal_share > STEAL_MAX &&
		    (!worst || report->runs[i].steal_share > worst->steal_share))
			worst = &report->runs[i];
	return worst &&
	       finding_set(finding, "%.0f %% of the machine's time at %d thread%s",
			   100 * worst->steal_share, worst->threads, plural(worst->threads));
}

int check_empty_roi(const struct report *report, struct finding *finding)
{
	size_t empty = 0;

	for (size_t i = 0; i < report->nruns; i++)
		empty += report->runs[i].calls > 0 && report->runs[i].roi_ns <= 0;
	return empty && finding_set(finding, "%zu of %zu run%s", empty, report->nruns,
				    plural((int)report->nruns));
}

int check_left_out(const struct report *report, struct finding *finding)
{
	size_t out = 0;

	for (size_t i = 0; i < report->nruns; i++)
		out += !report->runs[i].alike;
	return out && finding_set(finding, "%zu of %zu ran with another ROI, work or what-if", out,
				  report->nruns);
}

/* One run alone is no set. */
int check_few_runs(const struct report *report, struct finding *finding)
{
	const struct report_row *least = NULL;

	for (size_t i = 0; i < report->nrows && report->nrows > 1; i++)
		if (!least || report->rows[i].runs < least->runs)
			least = &report->rows[i];
	return least && least->runs < REPORT_RANGE_RUNS &&
	       finding_set(finding, "%d at %d thread%s", least->runs, least->threads,
			   plural(least->threads));
}

/* Time for a unit of work. */
static double run_time(const struct report_run *run)
{
	return 1 / run_throughput(run);
}

/* Looks at the runs of each thread count; the first that has the fault is told. */
static int check_repeats(const struct report *report,
			 int (*check)(const double *times, size_t count, int threads,
				      struct finding *finding),
			 struct finding *finding)
{
	int result = 0;

	for (size_t i = 0; i < report->nrows && !result; i++) {
		struct repeats times;

		if (!repeats_gather(report, report->rows[i].threads, run_time, &times))
			result = check(times.values, times.count, report->rows[i].threads, finding);
		free(times.values);
	}
	return result;
}

static double rest_median(const double *times, size_t count)
{
	return stats_median(times + 1, count - 1);
}

static int first_slow(const double *times, size_t count, int threads, struct finding *finding)
{
	return stats_first_slow(times, count) &&
	       finding_set(finding, "it took %.0f %% longer at %d thread%s",
			   100 * (times[0] / rest_median(times, count) - 1), threads,
			   plural(threads));
}

int check_first_slow(const struct report *report, struct finding *finding)
{
	return check_repeats(report, first_slow, finding);
}

/* A slow first run has its own warning. */
static int outliers(const double *times, size_t count, int threads, struct finding *finding)
{
	size_t skip = (size_t)stats_first_slow(times, count);
	size_t odd = count ? stats_outliers(times + skip, count - skip, NULL) : 0;

	return odd && finding_set(finding, "%zu of %zu at %d thread%s", odd, count, threads,
				  plural(threads));
}

int check_outliers(const struct report *report, struct finding *finding)
{
	return check_repeats(report, outliers, finding);
}

#define DRIFT_MIN 0.02

static int drift(const double *times, size_t count, int threads, struct finding *finding)
{
	struct drift drift = stats_drift(times, count);

	return drift.significant && fabs(drift.change) >= DRIFT_MIN &&
	       finding_set(finding, "by %.0f %% over %zu runs at %d thread%s, %s",
			   100 * fabs(drift.change), count, threads, plural(threads),
			   drift.change > 0 ? "slower" : "faster");
}

int check_drift(const struct report *report, struct finding *finding)
{
	return check_repeats(report, drift, finding);
}

int check_replay(const struct report *report, struct finding *finding)
{
	const struct scaling *scaling = &report->scaling;

	return fabs(scaling->f_pairs - scaling->f) > SCALING_SHARE_MAX &&
	       finding_set(finding, "f is %.3f in it, and %.3f in the run", scaling->f_pairs,
			   scaling->f);
}
