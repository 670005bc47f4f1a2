/* parts_test.c: the intervals of shares and losses against the jackknife, and where there are none.
 */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "fixture.h"
#include "model/stats.h"
#include "tests/unit.h"
#include "tests/write/csv_reader.h"

#define EACH 6 /* runs of each thread count */

static struct run runs[2 * EACH];

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

TEST(test_table)
{
	double lost = 0;
	struct csv csv;
	char *text;

	make_runs(3);
	fixture_report(runs, 6);
	text = fixture_written("csv", "parts");
	ck_assert(!csv_read(text, &csv));
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
	free(text);
}

/* As for all figures, two runs tell next to nothing. */
TEST(test_two_runs_have_no_interval)
{
	make_runs(2);
	fixture_report(runs, 4);
	for (int i = 0; i < FIGURES; i++)
		ck_assert(isnan(range(i).low) && isnan(range(i).high));
	expect_no_text("±");
}

TEST(test_text_has_them)
{
	make_runs(EACH);
	fixture_report(runs, 2 * EACH);
	expect_text("threads              wall        BLAS  other code   ");
	expect_text("\n      2  598 ms ± ");
}
