/* coverage_test.c: how many of the 95 % intervals hold what they should, in simulated stores. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "fixture.h"
#include "report/scaling.h"
#include "tests/model/numbers.h"
#include "tests/unit.h"

enum { STORES = 1000, REPEATS_MAX = 10, COUNTS = 3 };

/* Runs of 1, 2 and 4 threads that queue for `units`, with f = 0.55. */
static const struct setting {
	int repeats, has_outlier; /* 1 if one run of each thread count takes twice as long */
	double units, noise;	  /* standard deviation of a run's time, as a share */
} settings[] = {
	{3, 0, 1, 0.02},  {3, 0, 1.4, 0.05}, {5, 0, 1.4, 0.02},	 {6, 1, 1, 0.02},
	{10, 0, 2, 0.02}, {10, 0, 1, 0.002}, {10, 1, 1.4, 0.02},
};

#define F 0.55

/* The time in BLAS increases when that in other code decreases, so f varies as much as the time. */
static void make_store(const struct setting *setting, struct run *runs, uint64_t *state)
{
	int odd = (int)(next_uniform(state) * setting->repeats);

	for (int i = 0; i < setting->repeats; i++)
		for (int j = 0; j < COUNTS; j++) {
			struct run *run = &runs[i * COUNTS + j];
			int n = 1 << j;
			double speedup = model_queue(F, n, setting->units);
			double wall = exp(setting->noise * next_normal(state)) / speedup, other;

			other = (1 - F) * wall * speedup / n *
				exp(setting->noise * next_normal(state));
			wall *= 1 + (setting->has_outlier && i == odd);
			fixture_run(run, n, (int64_t)(wall * (double)SECOND), 1 - other / wall,
				    other / wall);
			run->cpus_available = 4;
		}
}

static int holds(double low, double high, double value)
{
	return low <= value && value <= high;
}

/* f, S(4), m, and the throughput of one more run of 4 threads over that of one. */
TEST_EACH(intervals_hold, COUNT(settings))
{
	static struct run runs[REPEATS_MAX * COUNTS];
	const struct setting *setting = &settings[_i];
	double speedup = model_queue(F, 4, setting->units);
	uint64_t state = 100 + (uint64_t)_i;
	int held[4] = {0};

	for (int store = 0; store < STORES; store++) {
		const struct report_row *row;
		const struct interval *range;
		double more;

		make_store(setting, runs, &state);
		fixture_report(runs, (size_t)setting->repeats * COUNTS);
		range = &row_of(1)->f_intercepted_range;
		held[0] += holds(range->low, range->high, F);
		row = row_of(4);
		held[1] += holds(row->speedup_range.low, row->speedup_range.high, speedup);
		ck_assert_int_eq((int)report.scaling.fit.result, UNITS_FITTED);
		held[2] += holds(report.scaling.fit.low, report.scaling.fit.high, setting->units);
		more = speedup / exp(setting->noise * next_normal(&state)) /
		       (row_of(1)->throughput / 2e9);
		range = &row->predicted[MODEL_QUEUE];
		held[3] += holds(range->low, range->high, more);
		report_free(&report);
	}
	for (int i = 0; i < 4; i++) {
		static const char *const figures[] = {"f", "speed-up", "units", "prediction"};
		double share = (double)held[i] / STORES;

		printf("%d runs%s, m = %g, sd %g %%: %s %.1f %%\n", setting->repeats,
		       setting->has_outlier ? " with an outlier" : "", setting->units,
		       100 * setting->noise, figures[i], 100 * share);
		ck_assert_double_ge(share, 0.93);
		ck_assert_double_le(share, 0.975);
	}
}
