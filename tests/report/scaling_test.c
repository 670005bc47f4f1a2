/* scaling_test.c: intervals, fits and the split of what was lost. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "tests/store/random_run.h"
#include "tests/unit.h"
#include "report/scaling.h"

static struct run runs[9];

/* Three runs of one thread, three of two, a little different from each other. */
static void make_repeats(void)
{
	for (int i = 0; i < 3; i++) {
		fixture_run(&runs[i], 1, SECOND + i * SECOND / 50, 0.5 + 0.01 * i, 0.5 - 0.01 * i);
		fixture_run(&runs[3 + i], 2, (SECOND + i * SECOND / 50) * 2 / 3, 0.6, 0.3);
	}
}

static void check_range(const struct report_range *range, double value, double half)
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
	ck_assert(isnan(row_of(1)->speedup_range.low)); /* it is 1 by what it means */
	for (size_t i = 0; i < MODELS && models[i].speedup; i++) {
		const struct report_range *range = &row_of(2)->predicted_range[i];
		double one = models[i].speedup(report.scaling.f_range.low, 2, 1);
		double other = models[i].speedup(report.scaling.f_range.high, 2, 1);

		ck_assert_double_eq_tol(range->low, fmin(one, other), 1e-9);
		ck_assert_double_eq_tol(range->high, fmax(one, other), 1e-9);
	}
	expect_text("±: half the width of the 95 % interval");
	report_free(&report);
}

TEST(test_two_runs_have_no_interval)
{
	make_repeats();
	run_free(&runs[5]);
	fixture_report(runs, 5);
	ck_assert(isfinite(row_of(1)->throughput_range.low));
	ck_assert(isnan(row_of(2)->throughput_range.low));
	ck_assert(isnan(row_of(2)->speedup_range.high));
	report_free(&report);
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.5, 0.5);
	fixture_report(runs, 2);
	expect_no_text("±");
	report_free(&report);
}

/* A run of one thread with f = 0.5 and such calls; others as fast as replay says they are when
 * their other code takes `growth` times as long. */
static void make_replayed(double units, uint32_t jitter_ns, double growth)
{
	const size_t count = 1000;
	struct replay_pair pairs[1000];

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	runs[0].pairs = calloc(count, sizeof *runs[0].pairs);
	for (; runs[0].npairs < count; runs[0].npairs++) {
		uint32_t ns = 10000 + (uint32_t)(runs[0].npairs * 7919 % 100) * jitter_ns / 100;

		runs[0].pairs[runs[0].npairs] = (struct run_pair){ns, ns};
		pairs[runs[0].npairs] = (struct replay_pair){(float)(ns * growth), (float)ns};
	}
	for (int n = 2; n <= 4; n += 2) {
		double speedup =
			replay_speedup(pairs, count, n, units, 65536) / (0.5 + 0.5 * growth);
		double other = 0.5 * growth * speedup / n; /* share of each thread's time */

		fixture_run(&runs[n / 2], n, (int64_t)((double)SECOND / speedup), 1 - other, other);
	}
}

TEST(test_replay_fits_the_units)
{
	struct model_input input;

	make_replayed(1, 9000, 1);
	fixture_report(runs, 3);
	input = scaling_input(&report.scaling);
	ck_assert_ptr_eq(model_chosen(&input), &models[MODEL_REPLAY]);
	ck_assert_double_eq_tol(row_of(4)->predicted[MODEL_REPLAY], row_of(4)->speedup, 0.02);
	ck_assert(row_of(4)->predicted[MODEL_REPLAY] > row_of(4)->predicted[2] + 0.005);
	ck_assert_int_eq(report.scaling.has_fit, 1);
	ck_assert_int_eq((int)report.scaling.fit.result, UNITS_FITTED);
	ck_assert_double_eq_tol(report.scaling.fit.units, 1, 0.05);
	expect_text(" replay is the\nmodel for this program.\nShared units: behaves like 1.0 ");
	report_free(&report);
	make_replayed(4, 9000, 1);
	fixture_report(runs, 3);
	ck_assert_int_eq((int)report.scaling.fit.result, UNITS_NONE_SEEN);
	expect_text("\nShared units: no shared unit seen.\n");
	report_free(&report);
}

/* What other code loses to memory or caches is no sign of a shared unit. */
TEST(test_units_without_what_other_code_lost)
{
	make_replayed(1, 9000, 1.3);
	fixture_report(runs, 3);
	ck_assert_int_eq((int)report.scaling.fit.result, UNITS_FITTED);
	ck_assert_double_eq_tol(report.scaling.fit.units, 1, 0.05);
	ck_assert_double_gt(row_of(2)->predicted[MODEL_REPLAY], 1.1 * row_of(2)->speedup);
	report_free(&report);
	make_replayed(4, 9000, 1.3);
	fixture_report(runs, 3);
	ck_assert_double_lt(row_of(2)->speedup, 1.8);
	ck_assert_int_eq((int)report.scaling.fit.result, UNITS_NONE_SEEN);
	report_free(&report);
}

TEST(test_units_that_cannot_be_seen)
{
	fixture_run(&runs[0], 1, SECOND, 0.02, 0.98);
	fixture_run(&runs[1], 2, SECOND / 2, 0.02, 0.98);
	fixture_report(runs, 2);
	expect_text("\nShared units: cannot be seen at these thread counts.\n");
	report_free(&report);
}

TEST(test_replay_has_the_interval_of_f)
{
	struct report_range range;

	make_replayed(1, 9000, 1);
	run_free(&runs[2]);
	for (int i = 2; i < 4; i++)
		fixture_run(&runs[i], 1, SECOND, 0.5 + 0.01 * i, 0.5 - 0.01 * i);
	fixture_report(runs, 4);
	range = row_of(2)->predicted_range[MODEL_REPLAY];
	ck_assert_double_lt(range.low, row_of(2)->predicted[MODEL_REPLAY]);
	ck_assert_double_gt(range.high, row_of(2)->predicted[MODEL_REPLAY]);
	report_free(&report);
}

TEST(test_which_run_the_pairs_are_taken_from)
{
	for (int i = 0; i < 3; i++)
		fixture_run(&runs[i], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[3], 2, SECOND, 0.5, 0.5);
	ck_assert_int_eq(report_pairs_run(runs, 4), 2); /* of equal ones the newest */
	run_free(&runs[2]);
	fixture_run(&runs[2], 1, SECOND, 0.3, 0.7); /* other code was disturbed: f of all is 0.43 */
	ck_assert_int_eq(report_pairs_run(runs, 4), 1);
	run_free(&runs[2]);
	fixture_run(&runs[2], 1, SECOND, 0, 0); /* neither BLAS nor other code: no f */
	ck_assert_int_eq(report_pairs_run(runs, 4), 1);
	run_free(&runs[2]);
	fixture_run(&runs[2], 1, SECOND, 0.5, 0.5);
	runs[2].exit_status = 1;
	ck_assert_int_eq(report_pairs_run(runs, 4), 1);
	strcpy(runs[1].what_if, "units=1");
	ck_assert_int_eq(report_pairs_run(runs, 4), 0);
	ck_assert_int_eq(report_pairs_run(runs + 3, 1), -1);
	for (int i = 0; i < 4; i++)
		run_free(&runs[i]);
}

/* The contributors of each part add up to the part, and the parts to the loss. */
static void check_losses(void)
{
	for (size_t i = 0; i < report.nrows; i++) {
		const struct report_row *point = &report.rows[i];
		double sums[CAT_COUNT] = {0}, sum = 0, size = fabs(point->lost.ideal);

		for (size_t j = 0; j < report.nlosses; j++) {
			const struct report_loss *loss = &report.losses[j];

			if (loss->threads != point->threads)
				continue;
			sums[loss->category] += loss->lost;
			size += fabs(loss->lost);
			ck_assert_str_eq(loss->part, category_names[loss->category]);
		}
		if (point->threads == 1 || isnan(point->speedup))
			continue;
		for (int category = 0; category < CAT_COUNT; category++) {
			ck_assert_double_eq_tol(sums[category], point->lost.lost[category],
						1e-6 * size);
			sum += sums[category];
		}
		ck_assert_double_eq_tol(sum, point->lost.ideal - point->speedup, 1e-6 * size);
	}
}

TEST(test_random_losses_add_up)
{
	size_t losses = 0;

	for (unsigned int seed = 0; seed < 300; seed++) {
		for (unsigned int i = 0; i < 3; i++) {
			random_run(&runs[i], seed * 3 + i, 1 + (size_t)i * 4);
			*runs[i].what_if = '\0';
			strcpy(runs[i].roi, "blas");
			runs[i].exit_status = 0;
			runs[i].work = 0;
			runs[i].roi_ns = 1 + (runs[i].roi_ns & 0xffffffffff);
			runs[i].threads_requested = i ? 1 + (int)seed % 7 : 1;
			run_add_thread(&runs[i])->calls = 1;
			for (size_t j = 0; j < runs[i].nthreads; j++) {
				struct run_thread *thread = &runs[i].threads[j];

				thread->end_ns = runs[i].roi_ns;
				thread->flops = 1 + fabs(fmod(thread->flops, 1e9));
				thread->times.ns[CAT_BLAS] =
					1 + (thread->times.ns[CAT_BLAS] & 0xffff);
				thread->calls = 1;
			}
		}
		fixture_report(runs, 3);
		check_losses();
		losses += report.nlosses;
		report_free(&report);
	}
	ck_assert_uint_gt(losses, 1000);
}

static double lost_to(const char *contributor)
{
	for (size_t i = 0; i < report.nlosses; i++)
		if (!strcmp(report.losses[i].contributor, contributor))
			return report.losses[i].lost;
	ck_abort_msg("no contributor %s", contributor);
}

TEST(test_contributors)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND / 2, 0.6, 0.3);
	runs[1].threads[1].start_ns = runs[1].roi_ns / 20;
	runs[1].threads[1].times.ns[CAT_WAITING] -= runs[1].roi_ns / 20;
	runs[1].shapes[1].total_ns *= 2; /* of 75 and 25, 75 and 50 */
	fixture_report(runs, 2);
	check_losses();
	/* per unit of work, of 1.0 in all: BLAS 0.5 to 0.6, of it the shapes 0.375 to 0.36 and
	 * 0.125 to 0.24 */
	ck_assert_double_eq_tol(lost_to("cblas_sgemm NT 64 x 64 x 64"), 2 * -0.015, 1e-3);
	ck_assert_double_eq_tol(lost_to("cblas_sgemm NT 128 x 64 x 64"), 2 * 0.115, 1e-3);
	/* other code 0.5 to 0.3, in samples as 300 to 200 in both */
	ck_assert_double_eq_tol(lost_to("rmsnorm_forward (train)"), 2 * -0.2 * 0.6, 1e-3);
	/* waiting 0 to 0.1, a quarter of it before the second thread began */
	ck_assert_double_eq_tol(lost_to("threads not yet started, or at an end before others"),
				2 * 0.025, 1e-3);
	ck_assert_double_eq_tol(lost_to("blocked: thread train-0"), 2 * 0.05, 1e-3);
	expect_text("The largest contributors at 2 threads: ");
	report_free(&report);
}
