/* scaling_test.c: intervals, fits and the split of what was lost. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/human.h"
#include "described_run.h"
#include "fixture.h"
#include "model/stats.h"
#include "tests/unit.h"
#include "tests/write/csv_reader.h"
#include "report/scaling.h"

static struct run runs[12];
static const struct scaling *const scaling = &report.scaling;

/* Three runs of one thread and three of two, with small differences. */
static void make_repeats(void)
{
	for (int i = 0; i < 3; i++) {
		fixture_run(&runs[i], 1, SECOND + i * SECOND / 50, 0.5 + 0.01 * i, 0.5 - 0.01 * i);
		fixture_run(&runs[3 + i], 2, (SECOND + i * SECOND / 50) * 2 / 3, 0.6, 0.3);
	}
}

static void check_range(const struct interval *range, double value, double half)
{
	ck_assert_double_eq_tol(range->low, value - half, 1e-6 * value);
	ck_assert_double_eq_tol(range->high, value + half, 1e-6 * value);
}

TEST(test_intervals)
{
	const double f[] = {0.5, 0.51, 0.52};
	struct interval interval = stats_mean_interval(f, 3), ratio;
	double rates[2][3];

	make_repeats();
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 2; j++)
			rates[j][i] = 2e18 / (double)runs[3 * j + i].roi_ns;
	ratio = stats_ratio_interval(rates[1], 3, rates[0], 3);
	fixture_report(runs, 6);
	check_range(&row_of(1)->f_intercepted_range, row_of(1)->account.f_intercepted,
		    interval.high - interval.value);
	interval = stats_mean_interval(rates[1], 3);
	check_range(&row_of(2)->throughput_range, row_of(2)->throughput,
		    interval.high - interval.value);
	check_range(&row_of(2)->speedup_range, row_of(2)->speedup, (ratio.high - ratio.low) / 2);
	ck_assert(isnan(row_of(1)->speedup_range.low)); /* it is 1 by definition */
	for (size_t i = 0; i < MODELS && models[i].speedup; i++) {
		const struct interval *range = &row_of(2)->predicted[i];
		struct interval wanted =
			model_solve(&models[i], &scaling->input, 2, scaling->units);

		ck_assert_double_eq(range->low, wanted.low);
		ck_assert_double_eq(range->high, wanted.high);
		ck_assert_double_lt(range->low, range->value);
	}
	expect_text("± is half the width of the 95 % confidence interval");
	ck_assert_has(report_finding(&report),
		      string_printf("2 threads give a speed-up of %.2f ± %s (ideal: 2.00). ",
				    row_of(2)->speedup,
				    human_number((ratio.high - ratio.low) / 2)));
}

TEST(test_two_runs_have_no_interval)
{
	make_repeats();
	run_free(&runs[5]);
	fixture_report(runs, 5);
	ck_assert(isfinite(row_of(1)->throughput_range.low));
	ck_assert(isnan(row_of(2)->throughput_range.low));
	ck_assert(isnan(row_of(2)->speedup_range.high));
	ck_assert(isnan(row_of(2)->lost_range[CAT_BLAS].high));
	ck_assert(isfinite(scaling->input.spread));
	REPORT_ON("1 1 .5 .5", "2 1 .5 .5");
	expect_no_text("±");
}

/* A run of one thread with f = 0.5 and these calls, and runs that are as fast as replay predicts if
 * their other code takes `growth` times as long, and threads meet after so many calls of all. */
static void make_replayed(double units, uint32_t jitter_ns, double growth, size_t calls_a_step)
{
	enum { CALLS = 1000 };
	struct replay_pair pairs[CALLS];

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	for (uint32_t i = 0; i < CALLS; i++) {
		uint32_t ns = 10000 + i * 7919 % 100 * jitter_ns / 100;

		fixture_pair(&runs[0], ns, ns);
		pairs[i] = (struct replay_pair){(float)(ns * growth), (float)ns};
	}
	for (int n = 2; n <= 4; n += 2) {
		double speedup = replay_scaled(pairs, CALLS, 1, calls_a_step / (size_t)n, 0, n,
					       units, 65536) /
				 (0.5 + 0.5 * growth);
		double other = 0.5 * growth * speedup / n; /* share of each thread's time */

		fixture_run(&runs[n / 2], n, (int64_t)((double)SECOND / speedup), 1 - other, other);
	}
}

TEST(test_replay_fits_the_units)
{
	make_replayed(1, 9000, 1, 0);
	fixture_report(runs, 3);
	ck_assert_ptr_eq(model_chosen(&scaling->input), &models[MODEL_REPLAY]);
	ck_assert_double_eq_tol(row_of(4)->predicted[MODEL_REPLAY].value, row_of(4)->speedup, 0.02);
	ck_assert(row_of(4)->predicted[MODEL_REPLAY].value > row_of(4)->predicted[2].value + 0.005);
	ck_assert_int_eq(scaling->has_fit, 1);
	ck_assert_int_eq((int)scaling->fit.result, UNITS_FITTED);
	ck_assert_double_eq_tol(scaling->fit.units, 1, 0.05);
	ck_assert_int_eq((int)scaling->units_from, UNITS_FROM_SPEEDUPS);
	ck_assert(isinf(row_of(1)->units) && isfinite(row_of(4)->units));
	ck_assert_double_eq(scaling->units.value, scaling->fit.units);
	ck_assert_double_eq_tol(scaling->fit.left_out, 0, 0.03);
	expect_text(" replay is the model for this program.\nHow the threads meet: independent "
		    "callers; left out of the fit, ");
	expect_no_text("for a speed-up of");
	expect_text("\nShared units: behaves like 1.0 ");
	make_replayed(1, 9000, 1.01, 0); /* hardly slower */
	fixture_report(runs, 3);
	expect_no_text("for a speed-up of");
	make_replayed(4, 9000, 1, 0);
	fixture_report(runs, 3);
	ck_assert_int_eq((int)scaling->fit.result, UNITS_NONE_SEEN);
	ck_assert_int_eq((int)scaling->units_from, UNITS_FROM_NOTHING);
	ck_assert_double_eq(row_of(4)->predicted[MODEL_REPLAY].value,
			    4); /* 1 unit is never the default */
	ck_assert_double_eq(row_of(4)->predicted[MODEL_QUEUE].value, 4);
	ck_assert_double_eq_tol(row_of(4)->predicted[MODEL_AMDAHL].value,
				model_amdahl(scaling->input.d.value, 4, 1), 1e-9);
	expect_text("share no matrix unit");
	expect_text("\nShared units: no shared unit seen.\n");
}

/* The newest run of one thread of those whose BLAS share is nearest to that of all is replayed. */
TEST(test_the_nearest_run_is_replayed)
{
	static const double shares[] = {0.3, 0.5, 0.5, 0.7};

	for (int i = 0; i < 4; i++) {
		uint32_t service_ns = (uint32_t)(1000 * shares[i]) + (uint32_t)i;

		fixture_run(&runs[i], 1, SECOND, shares[i], 1 - shares[i]);
		fixture_pair(&runs[i], 1000 - service_ns, service_ns);
	}
	fixture_report(runs, 4);
	ck_assert_double_eq_tol(scaling->f_pairs, 0.502, 1e-6);
}

/* Calls with another share of the time are not replayed, but with SCALING_SHARE_MAX more are. */
TEST_EACH(test_calls_unlike_the_run_are_not_replayed, 2)
{
	fixture_run(&runs[0], 1, SECOND, 0, 1);
	fixture_pair(&runs[0], 1900 - (uint32_t)_i, 100);
	fixture_report(runs, 1);
	ck_assert_uint_eq(scaling->input.npairs, !_i);
}

/* The units of the runs' --what-if, and those asked for, take precedence over the fitted ones. A
 * damaged store may have 0 units. */
TEST_EACH(test_whose_units, 3)
{
	static const char *const what_if[] = {"units=2,blas=1.5x", "units=0", "units=1e+06"};
	static const int units[] = {2, 1, 1000000};

	make_replayed(_i == 2 ? 4 : units[_i], 9000, 1, 0);
	for (int i = 0; i < 3; i++)
		strcpy(runs[i].what_if, what_if[_i]);
	fixture_report(runs, 3);
	ck_assert_int_eq((int)scaling->units_from,
			 _i == 1 ? UNITS_FROM_SPEEDUPS : UNITS_FROM_WHAT_IF);
	ck_assert_double_eq_tol(row_of(4)->units, units[_i], _i == 1 ? 0.05 : 1e-12);
	ck_assert_double_eq_tol(row_of(4)->predicted[MODEL_REPLAY].value, row_of(4)->speedup, 0.03);
	if (_i)
		return;
	expect_text("2 matrix units\nthat all threads share, as --what-if had it");
}

/* A thread that sleeps outside BLAS leaves the unit to others: f is its share of the work, d its
 * share of the time, and models use d; also if other code takes three times as long on 4 threads.
 */
TEST_EACH(test_models_get_the_delay, 2)
{
	double growth = 1 + 2 * _i, all = 0.9 + 0.1 * growth;

	fixture_run(&runs[0], 1, SECOND, 0.4, 0.1);
	fixture_run(&runs[1], 4, (int64_t)((double)SECOND * all / model_queue(0.4 / all, 4, 1)),
		    0.4, 0.1);
	/* the same work, and the rest of the time inside calls */
	change_run(&runs[1],
		   "threads other_ns=%gms waiting_ns=125ms blas_ns=100%% blas_ns-=other_ns "
		   "blas_ns-=waiting_ns",
		   growth * 25);
	fixture_report(runs, 2);
	ck_assert_double_eq_tol(scaling->f.value, 0.8, 1e-6);
	ck_assert_double_eq_tol(scaling->input.d.value, 0.4, 1e-6);
	ck_assert_double_eq_tol(row_of(4)->predicted[MODEL_AMDAHL].value, model_amdahl(0.4, 4, 1),
				1e-6);
	ck_assert_double_eq_tol(scaling->fit.units, 1, 0.01);
}

static void make_barriers(int n, const char *kind, int each)
{
	double speedup = model_forkjoin(0.5, n, 1), other = 0.5 * speedup / n;

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], n, (int64_t)((double)SECOND / speedup), 1 - other, other);
	change_run(&runs[1], "+waits each kind=%s waits=%d", kind, each);
	fixture_report(runs, 2);
}

/* 100 steps of 12 calls: 3 of 4 threads wait at each barrier. */
TEST(test_barriers_are_seen)
{
	make_barriers(4, "barrier", 75);
	ck_assert_int_eq((int)scaling->input.meeting, MEET_BARRIER);
	ck_assert_double_eq_tol(scaling->input.calls_a_step, 12, 1e-9);
	ck_assert_ptr_eq(model_chosen(&scaling->input), &models[MODEL_FORKJOIN]);
	ck_assert_double_eq_tol(scaling->fit.units, 1, 0.01);
	ck_assert_double_eq_tol(row_of(4)->predicted[MODEL_FORKJOIN].value, row_of(4)->speedup,
				1e-3);
	expect_text("forkjoin is the");
	expect_text("callers that meet at barriers, after 12 calls of all threads");
	make_barriers(4, "barrier", 8); /* a little over 10 steps */
	ck_assert_int_eq((int)scaling->input.meeting, MEET_BARRIER);
	make_barriers(4, "barrier", 7); /* only at the start and the end */
	ck_assert_int_eq((int)scaling->input.meeting, MEET_FREELY);
	make_barriers(2, "barrier", 5); /* 10 steps */
	ck_assert_int_eq((int)scaling->input.meeting, MEET_BARRIER);
	make_barriers(4, "mutex", 75);
	ck_assert_int_eq((int)scaling->input.meeting, MEET_FREELY);
	make_barriers(1, "barrier", 75); /* it meets no thread that calls BLAS */
	ck_assert_int_eq((int)scaling->input.meeting, MEET_FREELY);
}

/* Three runs in which four threads meet 9 times each, or 10. */
TEST_EACH(test_meetings_of_several_runs, 2)
{
	const char *four = _i ? "4 .5 .5 .3; +waits each kind=barrier waits=8"
			      : "4 .5 .5 .3; +waits each kind=barrier waits=7";

	REPORT_ON("1 1 .5 .5", four, four, four);
	ck_assert_int_eq((int)scaling->input.meeting, _i ? MEET_BARRIER : MEET_FREELY);
}

/* Each thread makes its part of the 12 calls of a step, and that is replayed. */
TEST(test_steps_are_replayed)
{
	make_replayed(1, 9000, 1, 12);
	for (int i = 1; i < 3; i++)
		change_run(&runs[i], "+waits each kind=barrier waits=75");
	runs[2].cpus_available = 4;
	fixture_report(runs, 3);
	ck_assert_double_eq_tol(scaling->input.calls_a_step, 12, 1e-9);
	ck_assert_double_eq_tol(scaling->fit.units, 1, 0.01);
	ck_assert_double_eq_tol(row_of(4)->predicted[MODEL_FORKJOIN].value, row_of(4)->speedup,
				0.01);
}

/* Threads that make all calls, each on a part of its data, come to a barrier together, however much
 * the calls of a step differ. With half as many calls they are nearer to sharing them out; and if
 * each does all the work, too, it splits no call. */
TEST_EACH(test_split_calls_are_replayed_together, 3)
{
	make_replayed(1, 9000, 1, 0);
	for (int n = 2; n <= 4; n += 2) {
		run_free(&runs[n / 2]);
		fixture_run(&runs[n / 2], n, SECOND / n, 0.5, 0.5);
		for (int i = 0; i < n; i++)
			runs[n / 2].threads[i].calls *= (uint64_t)(_i == 1 ? n / 2 : n);
		change_run(&runs[n / 2], "threads flops*=%d; +waits each kind=barrier waits=75",
			   _i == 2 ? n : 1);
	}
	runs[2].cpus_available = 4;
	fixture_report(runs, 3);
	ck_assert_int_eq(scaling->input.split_calls, !_i);
	if (_i)
		return;
	ck_assert_double_eq_tol(scaling->input.calls_a_step, 1200 / 100, 1e-9);
	expect_text("after 12 calls of each thread, on");
	ck_assert_double_eq_tol(row_of(2)->predicted[MODEL_FORKJOIN].value, 2, 1e-6);
	ck_assert_double_eq_tol(row_of(4)->predicted[MODEL_FORKJOIN].value, 4, 1e-6);
}

#define WITH_POOL(threads, other)                                                                  \
	threads " 1 .5 .5; threads_requested=2; facts blas_threads=2;"                             \
		"+threads tid=999 samples_blas=400 samples_other=200 other_ns=" other

/* BLAS's own thread computes for a tenth as long as the caller in its other code, which is parallel
 * then, but not if there is a second caller in some of the runs. */
TEST_EACH(test_parallel_other_code, 2)
{
	REPORT_ON("1 2 .5 .5", _i ? WITH_POOL("1", "150ms") : WITH_POOL("1", "600ms"),
		  _i ? WITH_POOL("1", "150ms") : WITH_POOL("2", "0"));
	ck_assert_int_eq((int)scaling->input.meeting, _i ? MEET_ONE_CALLER : MEET_BOTH);
	ck_assert_int_eq(scaling->input.other_parallel > 0, _i);
}

/* How threads meet is taken from thread counts with enough CPUs, which are 2 here. */
TEST(test_threads_over_the_cpus_do_not_tell)
{
	REPORT_ON("1 1 .5 .5", "2 .5 .5 .5; +waits each kind=barrier waits=75", "4 .25 .5 .5");
	ck_assert_int_eq((int)scaling->input.meeting, MEET_BARRIER);
	ck_assert_double_eq_tol(scaling->input.calls_a_step, 1200 / 150, 1e-9);
}

/* A program that starts new threads for each of 12 steps. */
TEST(test_threads_started_anew_meet)
{
	describe_run(&runs[0], "1 1 .5 .5");
	describe_run(&runs[1], "2 .48 .5 .5; threads blas_ns=20ms other_ns=20ms calls=50 "
			       "flops=1e9 flops*=.08333333 end_ns=40ms");
	for (int i = 1; i < 12; i++)
		for (int j = 0; j < 2; j++)
			change_run(&runs[1],
				   "+threads start_ns=%dms end_ns=%dms blas_ns=20ms other_ns=20ms "
				   "calls=50 flops=1e9 flops*=.08333333",
				   i * 40, i * 40 + 40);
	fixture_report(runs, 2);
	ck_assert_int_eq((int)scaling->input.meeting, MEET_BARRIER);
	ck_assert_double_eq_tol(scaling->input.calls_a_step, 100, 1e-9);
}

/* The calls of one thread are `times` as large as those of the other, which waits for it for this
 * share of the time. */
static const struct {
	double times, waits;
	int is_pipeline;
} stages[] = {
	{3, 2 / 3.0, 1},    {3, 0, 0},	   {1.51, 2 / 3.0, 1},
	{1.49, 2 / 3.0, 0}, {3, 0.101, 1}, {3, 0.1, 0}, /* a twentieth of both threads' time */
};

TEST_EACH(test_pipelines_are_seen, COUNT(stages))
{
	double times = stages[_i].times, waits = stages[_i].waits, works = 50 * (1 - waits);

	describe_run(&runs[0], "1 1 .5 .5");
	describe_run(&runs[1], "2 .75 .5 .5");
	change_run(&runs[1],
		   "threads[0] flops*=%g;"
		   "threads[1] flops*=%g blas_ns=%g%% other_ns=%g%% waiting_ns=%g%%;"
		   "roi_ns=850ms; threads start_ns=100ms end_ns=850ms",
		   2 * times / (1 + times), 2 / (1 + times), works, works, 100 * waits);
	fixture_report(runs, 2);
	ck_assert_int_eq((int)scaling->input.meeting,
			 stages[_i].is_pipeline ? MEET_PIPELINE : MEET_FREELY);
	ck_assert_int_eq(scaling->has_fit, !stages[_i].is_pipeline);
	if (!stages[_i].is_pipeline)
		return;
	ck_assert_double_eq_tol(row_of(2)->predicted[MODEL_PIPELINE].value, 2 - waits, 1e-6);
	ck_assert_double_nan(row_of(2)->predicted[MODEL_PIPELINE].low);
}

/* Two threads do the same work; a third one makes a small call, as at start-up. */
TEST(test_equal_threads_are_no_pipeline)
{
	REPORT_ON("1 1 .5 .5", "3 .75 .5 .3; threads[2] calls=1 flops=4");
	ck_assert_int_eq((int)scaling->input.meeting, MEET_FREELY);
	/* nor is one that does all the work */
	REPORT_ON("1 1 .5 .5", "2 1 .5 .5; threads_requested=2; threads[1] blas_ns=1% other_ns=1% "
			       "waiting_ns=98%");
	ck_assert_int_eq((int)scaling->input.meeting, MEET_FREELY);
	/* but one that computes for a twentieth of another's time is a stage */
	REPORT_ON("1 1 .5 .5", "2 1 .5 .5; threads_requested=2; threads[1] flops=2e7 blas_ns=2.5% "
			       "other_ns=2.5% waiting_ns=95%");
	ck_assert_int_eq((int)scaling->input.meeting, MEET_PIPELINE);
}

/* The second of two threads only computes, or is in calls for a twentieth of the first one's time.
 * If one thread makes all calls, they never overlap. */
TEST_EACH(test_one_caller, 4)
{
	static const char *const second[] = {"blas_ns=0 calls=0", "blas_ns=2.4%", "blas_ns=2.5%",
					     "blas_ns=2.6%"};
	char two[64];

	snprintf(two, sizeof two, "2 1 .5 .5; threads[1] %s", second[_i]);
	REPORT_ON("1 1 .5 .5", two);
	ck_assert_int_eq(scaling->input.one_caller, _i < 2);
	ck_assert_int_eq(scaling->has_fit, _i >= 2);
	if (_i >= 2)
		return;
	ck_assert_int_eq((int)scaling->units_from, UNITS_FROM_CALLER);
	ck_assert_double_eq(row_of(2)->units, 1);
	ck_assert_str_eq(report.threads[1].role, _i ? "caller" : "computing");
	ck_assert_double_eq_tol(row_of(2)->predicted[MODEL_QUEUE].value, model_queue(.5, 2, 1),
				1e-9);
	ck_assert_str_eq(scaling_fit_text(scaling), "not fitted: one thread makes all calls");
	expect_text("for one thread that\nmakes all calls, so that m = 1.");
}

/* The calls of a step are not known if one thread makes them all: the others do not replay them. */
TEST(test_one_caller_at_barriers)
{
	REPORT_ON("1 1 .5 .5", "2 1 .5 .5; threads[1] blas_ns=0 calls=0; "
			       "+waits each kind=barrier waits=75");
	ck_assert_int_eq((int)scaling->input.meeting, MEET_BARRIER);
	ck_assert_double_nan(scaling->input.calls_a_step);
	ck_assert_double_eq_tol(row_of(2)->predicted[MODEL_FORKJOIN].value,
				model_forkjoin(.5, 2, 1), 1e-9);
	expect_text("callers that meet at barriers.");
}

/* More threads than the 2 CPUs: a short time without a CPU is corrected for; with a long one the
 * point is left out. */
TEST(test_points_that_lack_cpus)
{
	for (int i = 0; i < 3; i++) {
		double lacked = i == 1 ? 0.3 : 0.05;
		double wall = 1 / model_queue(0.5, 4, 1) / (1 - lacked);

		fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
		if (i == 2) /* the run of one thread lacked a CPU, too */
			change_run(&runs[0],
				   "roi_ns=1111ms; threads end_ns=1111ms preempted_ns=111ms");
		fixture_run(&runs[1], 2, (int64_t)((double)SECOND / model_queue(0.5, 2, 1)), 0.6,
			    0.4);
		change_run(&runs[1],
			   "threads other_ns=250ms blas_ns=100%% blas_ns-=250ms waiting_ns=0");
		fixture_run(&runs[2], 4, (int64_t)(SECOND * wall), 1 - 0.125 / wall - lacked,
			    0.125 / wall);
		change_run(&runs[2], "threads preempted_ns=%g%% waiting_ns=0", 100 * lacked);
		fixture_report(runs, 3);
		ck_assert_uint_eq(scaling->npoints, 3);
		ck_assert_uint_eq(scaling->npoints_of_fit, i == 1 ? 2 : 3);
		ck_assert_double_eq_tol(scaling->fit.units, 1, 0.01);
	}
}

/* Neither f nor d is known if a run has no calls, or if its region of interest has less than a
 * twentieth of its CPU time. */
TEST_EACH(test_runs_that_do_not_tell, 3)
{
	static const char *const runs_of_two[] = {"2 .75 .5 .5; threads calls=0",
						  "2 .75 .5 .5; cpu_ns=2s roi_cpu_ns=99ms",
						  "2 .75 .5 .5; cpu_ns=2s roi_cpu_ns=100ms"};

	REPORT_ON("1 1 .5 .5", runs_of_two[_i]);
	ck_assert_int_eq(isnan(scaling->input.d.value), _i < 2);
	ck_assert_int_eq(isnan(scaling->f.value), _i < 2);
	ck_assert_ptr_null(strstr(scaling_fit_text(scaling), "lacked CPUs"));
}

/* Two threads without other code do not tell how it has grown. */
TEST(test_no_other_code)
{
	REPORT_ON("1 1 .5 .5", "2 .75 1 0");
	ck_assert_double_eq(scaling->points_of_fit[1].speedup, row_of(2)->speedup);
}

/* Four threads on 2 CPUs lack one for a third of the time. */
TEST(test_why_nothing_is_fitted)
{
	REPORT_ON("1 1 .5 .5");
	ck_assert_str_eq(scaling_fit_text(scaling),
			 "not fitted: needs a measured speed-up with 2 threads or more");
	ck_assert_str_eq(scaling_check_text(scaling), "");
	REPORT_ON("1 1 .5 .5", "4 .5 .3 .3; threads preempted_ns=33.3% waiting_ns-=33.3%");
	ck_assert_str_eq(scaling_fit_text(scaling),
			 "not fitted: threads lacked CPUs; use no more than there are");
	REPORT_ON("1 1 .5 .5", "2 .5 .3 .3; threads preempted_ns=33.3% waiting_ns-=33.3%");
	ck_assert_uint_eq(scaling->npoints_of_fit, 2);
	REPORT_ON("1 1 .5 .5", "4 .5 .45 .45; threads preempted_ns=10% waiting_ns-=10%");
	ck_assert_uint_eq(scaling->npoints_of_fit, 2);
}

/* Time that other code loses to memory or caches is no sign of a shared unit. */
TEST(test_units_without_what_other_code_lost)
{
	struct scaling other;

	make_replayed(1, 9000, 1.3, 0);
	fixture_report(runs, 3);
	ck_assert_int_eq((int)scaling->fit.result, UNITS_FITTED);
	ck_assert_double_eq_tol(scaling->fit.units, 1, 0.05);
	ck_assert_double_gt(row_of(2)->predicted[MODEL_REPLAY].value, 1.1 * row_of(2)->speedup);
	ck_assert_has(
		scaling_check_text(scaling),
		string_printf(" are predicted %.1f %% too ", 100 * fabs(scaling->fit.left_out)));
	ck_assert_has(scaling_check_text(scaling),
		      string_printf(" (for a speed-up of %.2f, with a CPU for each thread and no "
				    "slower other code), ",
				    1.15 * row_of(scaling->fit.left_out_threads)->speedup));
	other = *scaling;
	other.fit.left_out = -0.25;
	ck_assert_has(scaling_check_text(&other), " are predicted 25.0 % too low ");
	other.fit.left_out = 0.25;
	ck_assert_has(scaling_check_text(&other), " are predicted 25.0 % too high ");
	make_replayed(4, 9000, 1.3, 0);
	fixture_report(runs, 3);
	ck_assert_double_lt(row_of(2)->speedup, 1.8);
	ck_assert_int_eq((int)scaling->fit.result, UNITS_NONE_SEEN);
}

TEST(test_units_that_cannot_be_seen)
{
	REPORT_ON("1 1 .02 .98", "2 .5 .02 .98");
	expect_text("\nShared units: cannot be seen at these thread counts.\n");
}

TEST(test_replay_has_the_interval_of_f)
{
	struct interval range;

	make_replayed(1, 9000, 1, 0);
	run_free(&runs[2]);
	for (int i = 2; i < 4; i++)
		fixture_run(&runs[i], 1, SECOND, 0.5 + 0.01 * i, 0.5 - 0.01 * i);
	for (int i = 0; i < 4; i++)
		strcpy(runs[i].what_if, "units=1");
	fixture_report(runs, 4);
	ck_assert_has(scaling_units_text(scaling), "1 matrix unit that all threads share,");
	range = row_of(2)->predicted[MODEL_REPLAY];
	ck_assert_double_lt(range.low, range.value);
	ck_assert_double_gt(range.high, range.value);
}

/* m from the speed-up of two threads, between 1 unit and 2, where the model is linear. */
static double units_at(double d, double speedup)
{
	double one = model_queue(d, 2, 1);

	return 1 + (speedup - one) / (2 - one);
}

/* Half of the interval of a sum by Welch and Satterthwaite, with 4 and 2 degrees of freedom. */
static double half_of_sum(double a, double b)
{
	double a_var = pow(a / student_quantile(0.95, 4), 2);
	double b_var = pow(b / student_quantile(0.95, 2), 2);
	double sum = a_var + b_var;

	return student_quantile(0.95, sum * sum / (a_var * a_var / 4 + b_var * b_var / 2)) *
	       sqrt(sum);
}

/* Three runs of one thread and three of two, whose speed-ups and d vary. */
static void make_varied(double step)
{
	for (int i = 0; i < 3; i++) {
		double speedup = 1.63 + step * (i - 1), d = 0.55 + 0.01 * (i - 1);
		double other = 0.45 * speedup / 2;

		fixture_run(&runs[i], 1, SECOND, d, 1 - d);
		fixture_run(&runs[3 + i], 2, (int64_t)((double)SECOND / speedup), 1 - other, other);
	}
	fixture_report(runs, 6);
}

/* The interval of m by hand: the speed-up and its base vary, and so does d. */
TEST(test_interval_of_the_units)
{
	double m, a;

	make_varied(0.01);
	ck_assert_double_eq_tol(scaling->input.spread,
				student_quantile(0.95, 4) * sqrt(2 / 4.0) * 0.01 / 1.63, 1e-6);
	m = units_at(scaling->input.d.value, row_of(2)->speedup);
	a = row_of(2)->speedup * scaling->input.spread * sqrt(2 / 3.0) /
	    (2 - model_queue(scaling->input.d.value, 2, 1));
	ck_assert_double_eq_tol(scaling->fit.units, m, 1e-3);
	ck_assert_double_eq_tol(
		scaling->fit.low,
		m - half_of_sum(a, m - units_at(scaling->input.d.low, row_of(2)->speedup)), 1e-3);
	ck_assert_double_eq_tol(
		scaling->fit.high,
		m + half_of_sum(a, units_at(scaling->input.d.high, row_of(2)->speedup) - m), 1e-3);
}

/* With speed-ups of 1.18 to 2.08 the interval of m reaches 2 units, which is no end for 2 threads.
 */
TEST(test_interval_without_an_end)
{
	make_varied(0.45);
	ck_assert_int_eq(scaling->has_fit, 1);
	ck_assert(isinf(scaling->fit.high));
	ck_assert_double_lt(scaling->fit.low, 1);
}

/* A damaged store may have any number of threads, for which a fit would take too long. */
TEST_EACH(test_most_threads_of_a_fit, 2)
{
	ck_assert_int_eq(REPLAY_THREADS_MAX, 512);
	REPORT_ON("1 1 .5 .5", _i ? "513 .5 .99 .01" : "512 .5 .99 .01");
	ck_assert_int_eq(scaling->has_fit, !_i);
}

#define SINGLE "1 1 .5 .5"
#define DOUBLE "2 1 .5 .5"

/* Which run's pairs are replayed; -1: no run's. */
static const struct {
	const char *runs[5];
	int from;
} pair_runs[] = {
	{{SINGLE, SINGLE, SINGLE, DOUBLE}, 2}, /* the newest of equal ones */
	/* other code was disturbed: f of all runs is 0.43 */
	{{SINGLE, SINGLE, "1 1 .3 .7", DOUBLE}, 1},
	/* neither BLAS nor other code: no f */
	{{SINGLE, SINGLE, "1 1 0 0", DOUBLE}, 1},
	{{SINGLE, SINGLE, SINGLE "; exit_status=1", DOUBLE}, 1},
	{{SINGLE, "1 1 .3 .7", "1 1 .3 .7; threads_requested=1", DOUBLE}, 2},
	{{SINGLE, SINGLE "; what_if=units=1", SINGLE "; exit_status=1", DOUBLE}, 0},
	{{DOUBLE}, -1},
};

TEST_EACH(test_which_run_the_pairs_are_taken_from, COUNT(pair_runs))
{
	size_t count = 0;

	for (; pair_runs[_i].runs[count]; count++)
		describe_run(&runs[count], pair_runs[_i].runs[count]);
	/* no run is beyond the last */
	describe_run(&runs[count], "1 1 .1 .9");
	describe_run(&runs[count + 1], DOUBLE "; what_if=units=3");
	ck_assert_int_eq(report_pairs_run(runs, count), pair_runs[_i].from);
	count += 2;
	while (count)
		run_free(&runs[--count]);
}

/* One run's work is in calls, because it does not know the flops of some: so is the other's, unless
 * it was asked for flops. A failed run does not decide. */
TEST_EACH(test_work_in_calls, 3)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND * 3 / 4, 0.6, 0.3);
	strcpy(runs[1].work_unit, "calls");
	runs[1].work = (double)(runs[1].threads[0].calls + runs[1].threads[1].calls);
	runs[1].exit_status = _i == 2;
	if (_i == 1)
		run_add_fact(&runs[0], "work_asked", "flops");
	runs_count_alike(runs, 2);
	ck_assert_double_eq(runs[0].work, _i ? 0 : (double)runs[0].threads[0].calls);
	ck_assert_int_eq(!strcmp(runs[0].work_unit, "calls"), !_i);
	fixture_report(runs, 2);
	ck_assert_uint_eq(report.nrows, _i ? 1 : 2);
	ck_assert_str_eq(report.work_unit, "calls");
}

/* Each process calls BLAS once while it starts, which is no measure of the work: the run with two
 * of them takes three quarters of the time. Not so if one run has other calls, or for ranks of a
 * job. */
static const struct {
	double blas;
	const char *change; /* of both runs */
	const char *unit;
	double speedup;
} strays[] = {
	{0.99e-3, "", "runs", 4 / 3.0},
	{0.99e-3, "threads calls=1; work=2; work_unit=calls", "runs", 4 / 3.0},
	{0.99e-3, "work=2; work_unit=steps", "steps", 4 / 3.0},
	{1.01e-3, "", "flops", 16 / 3.0},
	{0.99e-3, "facts mpi.rank=0", "flops", 16 / 3.0},
	{0.99e-3, "facts work_asked=flops", "flops", 16 / 3.0},
	{0.99e-3, "exit_status=1", "runs", 4 / 3.0},
	{0.05, "exit_status=130", "flops", 16 / 3.0},
};

TEST_EACH(test_stray_calls, COUNT(strays))
{
	fixture_run(&runs[0], 1, SECOND, strays[_i].blas, 0.9);
	fixture_run(&runs[1], 2, SECOND * 3 / 4, 0.5e-4, 0.9);
	change_run(&runs[0], "threads flops=4; %s", strays[_i].change);
	change_run(&runs[1], "threads flops=8; %s", strays[_i].change);
	runs[0].cpu_ns = SECOND;
	runs[1].cpu_ns = SECOND * 3 / 2;
	runs_count_alike(runs, 2);
	fixture_report(runs, 2);
	ck_assert_str_eq(report.work_unit, strays[_i].unit);
	ck_assert_double_eq_tol(report.rows[1].speedup, strays[_i].speedup, 1e-9);
}

/* Without calls, each run is a unit of work, whether there is another with more threads or not. */
TEST_EACH(test_no_calls, 2)
{
	for (int i = 0; i < 2; i++) {
		describe_run(&runs[i], "1 1 0 .9; threads calls=0 flops=0; cpu_ns=1s");
		runs[i].threads_requested = 1 + i * _i;
	}
	runs_count_alike(runs, 2);
	for (int i = 0; i < 2; i++) {
		ck_assert_str_eq(runs[i].work_unit, "runs");
		ck_assert_double_eq(runs[i].work, 1);
		run_free(&runs[i]);
	}
}

TEST(test_runs_that_do_not_vary)
{
	REPORT_ON("1 1 .5 .5", "1 1 .5 .5", "1 1 .5 .5", "2 .75 .6 .3");
	ck_assert_int_eq((int)scaling->fit.result, UNITS_FITTED);
	ck_assert_double_nan(scaling->fit.low);
}

/* For a unit of work 0.25 ns of each kind on one thread; on two 0.4875 in BLAS, of 0.75 in all. */
TEST(test_what_blas_lost)
{
	REPORT_ON("1 1 .5 .5", "2 .75 .65 .35");
	ck_assert_double_eq_tol(scaling->lost, 2 - 4 / 3.0, 1e-6);
	ck_assert_double_eq_tol(scaling->lost_blas, 2 * 0.2375 / 0.75, 1e-6);
}

/* Half of the calls of each shape take `factor` times their mean, the others so many buckets more.
 */
static void make_tails(struct run *run, double factor, int buckets)
{
	EACH_ROW(shape, run->shapes, run->nshapes) {
		int bucket = run_bucket(factor * (double)shape->total_ns / (double)shape->calls);

		fixture_calls(shape, bucket, shape->calls / 2, bucket + buckets, shape->calls / 2);
		if (run->nthreads > 1)
			shape->min_ns = (int64_t)run_bucket_low_ns(bucket);
	}
}

/* A queue is claimed only with all of its evidence: an interval of m with both ends, and a tail. */
TEST(test_when_calls_queue)
{
	static const struct {
		int repeats, slow_bucket; /* of half of the calls */
		int queues;
		enum calls_tail tail;
		int alone_bucket; /* of half of the calls of one thread */
	} cases[] = {
		{3, 6, 1, TAIL_GROWS},
		{1, 6, 0, TAIL_GROWS},
		{3, 0, 0, TAIL_ALL_ALIKE},
		{3, 6, 0, TAIL_UNCLEAR, 6},
		{3, 6, 0, TAIL_UNCLEAR, 7},
		/* no queue of four threads is as long as three calls */
		{3, 6, 1, TAIL_GROWS, 8},
		{3, 6, 1, TAIL_GROWS, 16},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t count = 0;

		for (int j = 0; j < cases[i].repeats; j++)
			for (int n = 1; n <= 4; n += 3) {
				double speedup = model_queue(0.55, n, 1), part = 0.45 * speedup / n;
				struct run *run = &runs[count++];

				fixture_run(run, n, (int64_t)((1 + 0.002 * j) * SECOND / speedup),
					    1 - part, part);
				if (n > 1)
					change_run(run, "threads blas_waiting_ns=0");
				if (n == 1 && cases[i].alone_bucket)
					make_tails(run, 1, cases[i].alone_bucket);
				if (n > 1 && cases[i].slow_bucket)
					make_tails(run, 0.45, cases[i].slow_bucket);
			}
		fixture_report(runs, count);
		ck_assert_int_eq(scaling_queues(&report, 4), cases[i].queues);
		ck_assert_int_eq(strstr(report_finding(&report),
					"inside BLAS calls: the machine behaves like 1.0 ") != NULL,
				 cases[i].queues);
		ck_assert_int_eq(scaling_queues(&report, 2), 0); /* there are no such runs */
		ck_assert_int_eq((int)scaling_tail(&report, 4), (int)cases[i].tail);
	}
	/* calls take longer, and are blocked for half of that */
	REPORT_ON("1 1 .5 .5; threads blas_waiting_ns=0",
		  "2 1 .5 .5; threads blas_waiting_ns=125ms");
	ck_assert_int_eq(scaling_queues(&report, 2), 0);
	/* calls that are blocked, but take no longer than on one thread */
	REPORT_ON("1 1 .5 .5; threads blas_waiting_ns=0",
		  "2 .5 .5 .5; threads blas_waiting_ns=10%");
	ck_assert_int_eq(scaling_queues(&report, 2), 0);
}

TEST(test_contributors)
{
	REPORT_ON("1 1 .5 .5", "2 .5 .6 .3; threads[1] start_ns=5% waiting_ns-=5%;"
			       "shapes[1] total_ns*=2"); /* 75 and 25 become 75 and 50 */
	expect_whole_losses();
	/* per unit of work, 1.0 in all: BLAS from 0.5 to 0.6; its shapes from 0.375 to 0.36 and
	 * from 0.125 to 0.24 */
	ck_assert_double_eq_tol(lost_to("cblas_sgemm NT 64 x 64 x 64"), 2 * -0.015, 1e-3);
	ck_assert_double_eq_tol(lost_to("cblas_sgemm NT 128 x 64 x 64"), 2 * 0.115, 1e-3);
	/* other code from 0.5 to 0.3, with 300 to 200 samples in both */
	ck_assert_double_eq_tol(lost_to("rmsnorm_forward (train)"), 2 * -0.2 * 0.6, 1e-3);
	/* waiting from 0 to 0.1, a quarter of it before the second thread began */
	ck_assert_double_eq_tol(lost_to("threads not yet started"), 2 * 0.025, 1e-3);
	ck_assert_double_eq_tol(lost_to("blocked: thread train-0"), 2 * 0.05, 1e-3);
	expect_text("The largest contributors at 2 threads: ");
}

/* Of three threads one never was there, and one came late and ended early; the third was blocked.
 */
TEST(test_who_was_not_there)
{
	REPORT_ON("1 1 .5 .5", "2 .5 .6 .3; threads_requested=3; threads[1] start_ns=25ms "
			       "end_ns-=12.5ms other_ns+=12.5ms waiting_ns=0");
	expect_whole_losses();
	ck_assert_double_eq_tol(lost_to("threads that never were there"), 1, 1e-6);
	ck_assert_double_eq_tol(lost_to("threads not yet started"), 0.05, 1e-6);
	ck_assert_double_eq_tol(lost_to("threads at an end before the slowest"), 0.025, 1e-6);
	ck_assert_double_eq_tol(lost_to("blocked: thread train-0"), 0.1, 1e-6);
	ck_assert_double_eq(report.threads[1].alive_ns, 0.4625e9);
}

#define EACH 6 /* runs of each thread count */

/* Runs that differ by some percent: first those of one thread, then those of two. */
static void make_runs(int each)
{
	static const double longer[EACH] = {0, 0.013, -0.021, 0.008, -0.006, 0.017};
	static const double other[EACH] = {0.01, -0.012, 0.002, 0.019, -0.008, -0.015};

	for (int i = 0; i < each; i++) {
		fixture_run(&runs[i], 1, (int64_t)(SECOND * (1 + longer[i])), 0.5 + other[i],
			    0.48 - other[i] / 2);
		fixture_run(&runs[each + i], 2, (int64_t)(SECOND * 0.6 * (1 - 2 * longer[i])),
			    0.45 - other[i], 0.35 + longer[i]);
		runs[i].work = runs[each + i].work = 2e9 * (1 + 3 * other[i]);
	}
}

static void free_runs(int each)
{
	for (int i = 0; i < 2 * each; i++)
		run_free(&runs[i]);
}

/* Builds a report on all runs except one (2 * EACH: on all). */
static void build_without(int without)
{
	static const struct report_options options = REPORT_OPTIONS_DEFAULT;
	struct run some[2 * EACH];
	size_t count = 0;

	for (int i = 0; i < 2 * EACH; i++)
		if (i != without)
			some[count++] = runs[i];
	ck_assert_int_eq(report_build(some, count, &options, &report, NULL), 0);
	ck_assert_uint_eq(report.nrows, 2);
}

static double share(const struct report_row *row, int category)
{
	return row->account.category_ns[category] / (row->threads * row->account.wall_ns);
}

/* The figures that are checked: what each part lost, and its share at two threads. */
#define FIGURES (2 * CAT_COUNT)
static double figure(int which)
{
	const struct report_row *row = &report.rows[1];

	return which < CAT_COUNT ? row->lost.lost[which] : share(row, which - CAT_COUNT);
}

static struct interval range(int which)
{
	const struct report_row *row = &report.rows[1];

	return which < CAT_COUNT ? row->lost_range[which] : row->share_range[which - CAT_COUNT];
}

/* Half the 95 % interval by the jackknife of two sets of runs (B. Efron, The Jackknife, the
 * Bootstrap and Other Resampling Plans, SIAM 1982), with the degrees of freedom of Welch. */
static double jackknife_half(const double *left_out)
{
	double variance = 0, squares = 0;

	for (int set = 0; set < 2; set++) {
		double sd = stats_sd(&left_out[set * EACH], EACH);
		double part = (EACH - 1.0) * (EACH - 1.0) / EACH * sd * sd;

		variance += part;
		squares += part * part / (EACH - 1);
	}
	return student_quantile(STATS_CONFIDENCE, variance * variance / squares) * sqrt(variance);
}

TEST(test_intervals_are_those_of_the_jackknife)
{
	double left_out[FIGURES][2 * EACH], value[FIGURES];
	struct interval ranges[FIGURES];
	int seen = 0;

	make_runs(EACH);
	for (int without = 0; without <= 2 * EACH; without++) {
		build_without(without);
		for (int i = 0; i < FIGURES; i++)
			if (without < 2 * EACH)
				left_out[i][without] = figure(i);
		if (without == 2 * EACH)
			for (int i = 0; i < FIGURES; i++) {
				value[i] = figure(i);
				ranges[i] = range(i);
			}
		report_free(&report);
	}
	free_runs(EACH);
	for (int i = 0; i < FIGURES; i++) {
		double half = jackknife_half(left_out[i]);

		if (isnan(half)) /* there is no such figure */
			continue;
		seen++;
		ck_assert_double_eq_tol((ranges[i].high - ranges[i].low) / 2, half, 0.03 * half);
		ck_assert_double_eq_tol((ranges[i].high + ranges[i].low) / 2, value[i], 1e-9);
	}
	ck_assert_int_eq(seen, 6); /* BLAS, other code and waiting, each twice */
}

static const char *cell(const struct csv *csv, size_t row, const char *column)
{
	const char *text = csv_cell(csv, row, column);

	ck_assert_ptr_nonnull(text);
	return text;
}

TEST(test_table_of_parts)
{
	double lost = 0;
	struct csv csv;

	make_runs(3);
	fixture_report(runs, 6);
	ck_assert(!csv_read(fixture_written("csv", "parts"), &csv));
	for (size_t i = 0; i < CAT_COUNT; i++) {
		size_t row = CAT_COUNT + 1 + i;
		double low = atof(cell(&csv, row, "lost_low"));
		double high = atof(cell(&csv, row, "lost_high"));

		ck_assert_str_eq(cell(&csv, 1 + i, "threads"), "1");
		ck_assert_str_eq(cell(&csv, 1 + i, "lost"), "");
		ck_assert_str_eq(cell(&csv, 1 + i, "lost_low"), "");
		ck_assert_str_eq(cell(&csv, row, "threads"), "2");
		ck_assert_str_eq(cell(&csv, row, "part"), time_categories[i].label);
		lost += atof(cell(&csv, row, "lost"));
		ck_assert_double_eq_tol((low + high) / 2, atof(cell(&csv, row, "lost")), 1e-9);
	}
	ck_assert_double_eq_tol(lost, 2 - report.rows[1].speedup, 1e-9);
	ck_assert_double_eq_tol((report.rows[1].wall_range.low + report.rows[1].wall_range.high) /
					2,
				report.rows[1].account.wall_ns, 1);
	csv_free(&csv);
}

/* As for all figures, two runs tell next to nothing. */
TEST(test_two_runs_have_no_intervals_of_parts)
{
	make_runs(2);
	fixture_report(runs, 4);
	for (int i = 0; i < FIGURES; i++)
		ck_assert(isnan(range(i).low) && isnan(range(i).high));
	expect_no_text("±");
}

TEST(test_text_has_intervals_of_parts)
{
	make_runs(EACH);
	fixture_report(runs, 2 * EACH);
	expect_text("threads              wall        BLAS  other code   ");
	expect_text("\n      2  598 ms ± ");
}
