/* stats_test.c: tests statistics against closed forms, enumeration and repeated sampling. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <time.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/stats.h"
#include "numbers.h"
#include "tests/unit.h"

static void fill_normal(double *values, size_t count, double mean, double sd, uint64_t *state)
{
	for (size_t i = 0; i < count; i++)
		values[i] = mean + sd * next_normal(state);
}

COMPARE(compare_doubles, double, ORDER(*a, *b))

TEST(simple_figures)
{
	double values[] = {4, 1, 3, 2};

	ck_assert_double_eq(stats_mean(values, 4), 2.5);
	ck_assert_double_eq(stats_median(values, 4), 2.5);
	ck_assert_double_eq(stats_median(values, 3), 3);
	ck_assert_double_eq(values[0], 4);
	ck_assert_double_eq_tol(stats_sd(values, 4), sqrt(5.0 / 3), 1e-15);
	ck_assert(isnan(stats_mean(values, 0)));
	ck_assert(isnan(stats_median(values, 0)));
	ck_assert(isnan(stats_sd(values, 1)));
}

/* The tails by Simpson's rule on the density, for |t| up to a point. */
static double tail_by_integration(double t, double dof)
{
	enum { STEPS = 20000 };
	double sum = 0, scale = exp(lgamma((dof + 1) / 2) - lgamma(dof / 2)) / sqrt(dof * M_PI);

	for (int i = 0; i <= STEPS; i++) {
		double x = t * i / STEPS, weight = i % 2 ? 4 : 2;

		if (i == 0 || i == STEPS)
			weight = 1;
		sum += weight * pow(1 + x * x / dof, -(dof + 1) / 2);
	}
	return 1 - 2 * scale * sum * t / STEPS / 3;
}

TEST(student_against_closed_forms)
{
	for (double t = 0; t < 50; t = t * 1.5 + 0.1) {
		ck_assert_double_eq_tol(student_tail(t, 1), 1 - 2 / M_PI * atan(t), 1e-12);
		ck_assert_double_eq_tol(student_tail(-t, 2), 1 - t / sqrt(2 + t * t), 1e-12);
		ck_assert_double_eq_tol(student_tail(t, INFINITY), erfc(t / sqrt(2)), 1e-12);
		for (double dof = 0.7; dof < 1000; dof *= 2.3)
			ck_assert_double_eq_tol(student_tail(t, dof), tail_by_integration(t, dof),
						1e-8);
	}
	ck_assert_double_eq(student_tail(0, 3), 1);
	ck_assert_double_eq(student_tail(1e300, 3), 0);
	ck_assert_double_eq_tol(student_tail(1e150, 3), 0, 1e-300);
	ck_assert_double_eq_tol(student_tail(2, 1e6), student_tail(2, 1.1e6), 1e-6);
	ck_assert_double_eq_tol(student_tail(2, 1e6), tail_by_integration(2, 1e6), 1e-8);
}

TEST(student_quantiles)
{
	ck_assert_double_eq_tol(student_quantile(0.95, 1), tan(M_PI * 0.475), 1e-9);
	ck_assert_double_eq_tol(student_quantile(0.95, 4), 2.7764451052, 1e-9);
	ck_assert_double_eq_tol(student_quantile(0.95, 10), 2.2281388520, 1e-9);
	ck_assert_double_eq_tol(student_quantile(0.95, INFINITY), STATS_NORMAL_QUANTILE, 1e-12);
	for (double dof = 0.5; dof < 1e5; dof *= 3)
		ck_assert_double_eq_tol(student_tail(student_quantile(0.9, dof), dof), 0.1, 1e-9);
	ck_assert(isnan(student_quantile(0.95, 0)));
	ck_assert(isnan(student_quantile(0, 4)));
	ck_assert(isnan(student_quantile(1, 4)));
	ck_assert(isnan(student_tail(NAN, 4)));
}

TEST(intervals_hold_the_truth)
{
	enum { ROUNDS = 20000 };
	uint64_t state = 11;
	int mean_held = 0, ratio_held = 0, difference_held = 0, significant = 0;

	for (int i = 0; i < ROUNDS; i++) {
		double a[5], b[7];
		struct interval mean, ratio, difference;

		fill_normal(a, 5, 200, 4, &state);
		fill_normal(b, 7, 100, 1, &state);
		mean = stats_mean_interval(a, 5);
		ratio = stats_ratio_interval(a, 5, b, 7);
		difference = stats_difference_interval(a, 5, b, 7);
		mean_held += mean.low <= 200 && 200 <= mean.high;
		ratio_held += ratio.low <= 2 && 2 <= ratio.high;
		difference_held += difference.low <= 100 && 100 <= difference.high;
		fill_normal(b, 7, 200, 1, &state);
		difference = stats_difference_interval(b, 7, a, 5);
		significant += difference.low > 0 || difference.high < 0;
	}
	ck_assert_double_eq_tol((double)mean_held / ROUNDS, 0.95, 0.01);
	ck_assert_double_eq_tol((double)ratio_held / ROUNDS, 0.95, 0.01);
	ck_assert_double_eq_tol((double)difference_held / ROUNDS, 0.95, 0.01);
	ck_assert_double_eq_tol((double)significant / ROUNDS, 0.05, 0.01);
}

/* Student's quantile for 95 % with so many degrees of freedom. */
#define T1 tan(M_PI * 0.475)
#define T2 4.3026527297
#define T4 student_quantile(STATS_CONFIDENCE, 4)

TEST(intervals_by_hand)
{
	double a[] = {1, 2, 3}, b[] = {2, 2, 2}, one[] = {5}, zeros[3] = {0}, two[] = {2, 4};
	double more[] = {11, 12, 13}, far[] = {1, 5};
	const struct {
		struct interval interval;
		double value, half; /* NAN: not known */
	} rows[] = {
		{stats_mean_interval(a, 3), 2, T2 / sqrt(3)},
		{stats_mean_interval(one, 1), 5, NAN},
		{stats_ratio_interval(b, 3, b, 3), 1, 0},
		/* only one of the two varies */
		{stats_ratio_interval(two, 2, b, 3), 1.5, T1 / 2},
		{stats_ratio_interval(b, 2, a, 3), 1, T2 / 2 / sqrt(3)},
		{stats_ratio_interval(a, 2, b, 2), 0.75, T1 / 4},
		/* variances of 4/9 each */
		{stats_ratio_interval(two, 2, a, 2), 2, T2 * sqrt(8 / 9.0)},
		{stats_ratio_interval(a, 2, one, 1), 0.3, NAN},
		{stats_ratio_interval(one, 1, a, 2), 5 / 1.5, NAN},
		{stats_ratio_interval(a, 3, one, 0), NAN, NAN},
		{stats_ratio_interval(a, 3, zeros, 3), NAN, NAN},
		{stats_ratio_interval(zeros, 3, zeros, 3), NAN, NAN},
		{stats_difference_interval(b, 3, b, 3), 0, 0},
		{stats_difference_interval(b, 2, a, 2), 0.5, T1 / 2},
		{stats_difference_interval(b, 1, b, 3), 0, NAN},
		{stats_difference_interval(b, 3, one, 1), -3, NAN},
		{stats_difference_interval(one, 1, b, 3), 3, NAN},
		{stats_difference_interval(more, 3, a, 3), 10, T4 * sqrt(2.0 / 3)},
		/* variances of the means 4 and 1/3, with 1 and 2 degrees of freedom */
		{stats_difference_interval(far, 2, a, 3), 1,
		 student_quantile(STATS_CONFIDENCE, pow(13 / 3.0, 2) / (1 / 18.0 + 16)) *
			 sqrt(13 / 3.0)},
	};

	for (int i = 0; i < COUNT(rows); i++) {
		const struct interval *got = &rows[i].interval;
		double near = 5e-10 * rows[i].half;

		printf("row %d: %.12g, %.12g to %.12g\n", i, got->value, got->low, got->high);
		ck_assert_int_eq(isnan(got->value), isnan(rows[i].value));
		ck_assert_int_eq(isnan(got->low) + isnan(got->high), 2 * isnan(rows[i].half));
		if (!isnan(rows[i].value))
			ck_assert_double_le(fabs(got->value - rows[i].value), 1e-15);
		if (isnan(rows[i].half))
			continue;
		ck_assert_double_le(fabs(got->high - rows[i].value - rows[i].half), near);
		ck_assert_double_le(fabs(rows[i].value - got->low - rows[i].half), near);
	}
	ck_assert_double_eq_tol(stats_residual_variance(8, 2),
				4 * pow(T2 / STATS_NORMAL_QUANTILE, 2), 1e-8);
	ck_assert_double_eq(stats_residual_variance(8, 0), 0);
}

/* How many values the interval leaves out at each end, by the binomial distribution: of 17 with 4 a
 * chance of 2.45 %. */
TEST(median_intervals_by_counting)
{
	double values[100] = {0};

	ck_assert_double_nan(stats_median_interval(values, 0).value);
	for (int count = 1; count <= 100; count++) {
		struct interval interval;
		double below = 0;
		int outside = -1;

		values[100 - count] = count; /* from large to small */
		for (int i = 0; i < count; i++) {
			below += exp(lgamma(count + 1) - lgamma(i + 1) - lgamma(count - i + 1) -
				     count * log(2));
			outside = below <= 0.025 ? i : outside;
		}
		interval = stats_median_interval(values + 100 - count, (size_t)count);
		ck_assert_double_eq(interval.value, (count + 1) / 2.0);
		ck_assert_int_eq(isnan(interval.low), outside < 0);
		if (outside < 0)
			continue;
		ck_assert_double_eq(interval.low, outside + 1);
		ck_assert_double_eq(interval.high, count - outside);
	}
}

static const struct {
	double values[6];
	int count, outlier; /* its index; -1: there is none */
	int first_slow;
} odd_runs[] = {
	{{100, 101, 99, 100.5, 99.5}, 5, -1, 0},
	{{100, 101, 99, 100.5, 150}, 5, 4, 0},
	{{150, 100, 101, 99, 100.5}, 5, 0, 1},
	{{50, 100, 101, 99, 100.5}, 5, 0, 0},
	{{100, 100, 100, 100.001}, 4, -1, 0},
	{{100, 100, 100, 101}, 4, 3, 0},
	/* three values are enough */
	{{150, 100}, 2, -1, 0},
	{{2, 1, 1}, 3, 0, 1},
	{{1, 1, 2}, 3, 2, 0},
	{{0, 0, 0}, 3, -1, 0},
	/* the middle of the deviations is 1, so that 10 sds are 14.826; or 10 of the floor 0.1 */
	{{99, 100, 101, 115.3}, 4, -1, 0},
	{{99, 100, 101, 115.4}, 4, 3, 0},
	{{100, 100, 100, 100.09}, 4, -1, 0},
	{{100, 100, 100, 100.11}, 4, 3, 0},
	/* 3 of the others are 2, so that nothing varies but the first; of all six, or of the first
	 * five, half do */
	{{3, 1, 1, 2, 2, 2}, 6, -1, 1},
	{{3, 1, 1, 2, 2}, 5, -1, 0},
};

TEST_EACH(outliers_and_slow_starts, COUNT(odd_runs))
{
	const double *values = odd_runs[_i].values;
	size_t count = (size_t)odd_runs[_i].count, outliers = odd_runs[_i].outlier >= 0;
	unsigned char flags[6];

	ck_assert_uint_eq(stats_outliers(values, count, NULL), outliers);
	ck_assert_uint_eq(stats_outliers(values, count, flags), outliers);
	for (int i = 0; i < odd_runs[_i].count; i++)
		ck_assert_int_eq(flags[i], i == odd_runs[_i].outlier);
	ck_assert_int_eq(stats_first_slow(values, count), odd_runs[_i].first_slow);
}

static int rank_sum(const double *values, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		for (int j = i + 1; j < count; j++)
			sum += (values[j] > values[i]) - (values[j] < values[i]);
	return sum;
}

/* Counts the orders of the values from `from` on that drift at least as much as `sum`. */
static long count_orders(double *values, int count, int from, int sum)
{
	long orders = 0;

	if (from == count)
		return abs(rank_sum(values, count)) >= sum;
	for (int i = from; i < count; i++) {
		double swap = values[from];

		values[from] = values[i];
		values[i] = swap;
		orders += count_orders(values, count, from + 1, sum);
		values[i] = values[from];
		values[from] = swap;
	}
	return orders;
}

TEST(drift_equals_enumeration)
{
	uint64_t state = 12;

	for (int round = 0; round < 10; round++) {
		int count = 6 + round % 2;
		double values[7], p_value;

		fill_normal(values, 7, 100, 1, &state);
		p_value = stats_drift(values, (size_t)count);
		ck_assert_double_eq_tol(
			p_value,
			(double)count_orders(values, count, 0, abs(rank_sum(values, count))) /
				(count == 6 ? 720 : 5040),
			1e-12);
	}
}

TEST(drift_of_known_series)
{
	double rising[30], equal[30];

	for (int i = 0; i < 30; i++) {
		rising[i] = 100 + i / 3; /* with ties */
		equal[i] = 7;
	}
	ck_assert_double_lt(stats_drift(rising, 30), 1 - STATS_CONFIDENCE);
	ck_assert_double_eq_tol(stats_change(rising, 30), 0.09, 0.02);
	ck_assert_double_eq(stats_drift(equal, 30), 1);
	ck_assert_double_eq(stats_change(equal, 30), 0);
	ck_assert_double_eq_tol(stats_drift((double[]){5, 4, 3, 2, 1}, 5), 2.0 / 120, 1e-12);
	ck_assert_double_eq_tol(stats_change((double[]){5, 4, 3, 2, 1}, 5), -4.0 / 3, 1e-12);
	ck_assert_double_eq_tol(stats_drift((double[]){1, 2, 3, 4}, 4), 2.0 / 24, 1e-12);
	/* between slopes of 2 and 7 / 3, of 6 */
	ck_assert_double_eq_tol(stats_change((double[]){1, 2, 4, 8}, 4), 13 / 6.0, 1e-12);
	for (int i = 0; i < 21; i++) /* 20 values are few enough for the exact chance */
		rising[i] = i;
	ck_assert_double_eq_tol(tgamma(21) * stats_drift(rising, 20), 2, 1e-9);
	ck_assert_double_eq_tol(stats_drift(rising, 21),
				erfc(209 / sqrt(21 * 20 * 47 / 18.0) / sqrt(2)), 1e-12);
	ck_assert(isnan(stats_drift(rising, 3)));
}

/* Up to 500 values the median of all slopes, beyond that of those half of the values apart. */
TEST_EACH(drift_slopes_by_sorting, 2)
{
	enum { COUNT = 501 };
	static double values[COUNT], slopes[COUNT * COUNT];
	int count = 500 + _i, half = count / 2;
	size_t nslopes = 0;
	double median;

	for (int i = 0; i < count; i++)
		values[i] = 1 + pow(i, 3);
	for (int i = 0; i < count; i++)
		for (int j = i + 1; j < count; j++)
			if (!_i || j - i == half)
				slopes[nslopes++] = (values[j] - values[i]) / (j - i);
	qsort(slopes, nslopes, sizeof *slopes, compare_doubles);
	median = (slopes[(nslopes - 1) / 2] + slopes[nslopes / 2]) / 2;
	ck_assert_double_eq_tol(stats_change(values, (size_t)count),
				median * (count - 1) / stats_median(values, (size_t)count), 1e-9);
}

/* All pairs of them would be 200 million. */
TEST(drift_of_many_values)
{
	enum { MANY = 20000 };
	double *values = malloc(MANY * sizeof *values);
	uint64_t state = 5;
	double p_value, change;
	clock_t start;

	fill_normal(values, MANY, 100, 1, &state);
	for (int i = 0; i < MANY; i++)
		values[i] += 3.0 * i / MANY;
	start = clock();
	p_value = stats_drift(values, MANY);
	change = stats_change(values, MANY);
	ck_assert_int_lt(clock() - start, 5 * CLOCKS_PER_SEC);
	ck_assert_double_lt(p_value, 1 - STATS_CONFIDENCE);
	ck_assert_double_eq_tol(change, 0.03, 0.002);
	free(values);
}

static double edge(int bucket)
{
	return bucket <= 0 ? 0 : exp2(bucket / 4.0);
}

TEST(histogram_quantiles)
{
	enum { COUNT = 20000, BUCKETS = 160 };
	static double values[COUNT];
	uint64_t state = 13, buckets[BUCKETS] = {0}, one[BUCKETS] = {[20] = 1};

	for (int i = 0; i < COUNT; i++) {
		values[i] = exp(8 + next_normal(&state));
		buckets[(int)floor(log2(values[i]) * 4)]++;
	}
	qsort(values, COUNT, sizeof *values, compare_doubles);
	for (double q = 0.02; q < 1; q += 0.02)
		ck_assert_double_eq_tol(stats_histogram_quantile(buckets, BUCKETS, edge, values[0],
								 values[COUNT - 1], q) /
						values[(int)(q * COUNT)],
					1, 0.03);
	ck_assert_double_eq(stats_histogram_quantile(buckets, BUCKETS, edge, values[0], 9e9, 0),
			    values[0]);
	ck_assert_double_eq(stats_histogram_quantile(one, BUCKETS, edge, 33, 33, 0.5), 33);
	ck_assert_double_eq(stats_histogram_quantile(one, BUCKETS, edge, 33, 34, 1), 34);
	ck_assert(isnan(stats_histogram_quantile(one, BUCKETS, edge, 33, 33, 1.5)));
	ck_assert(isnan(stats_histogram_quantile(one, BUCKETS, edge, 33, 33, -0.5)));
	one[20] = 0;
	ck_assert(isnan(stats_histogram_quantile(one, BUCKETS, edge, 0, 0, 0.5)));
	one[0] = 4;
	ck_assert_double_eq_tol(stats_histogram_quantile(one, BUCKETS, edge, 0, 1, 0.5),
				edge(1) / 2, 1e-12);
	one[30] = 4; /* half of the values are at the end of the first bucket */
	ck_assert_double_eq_tol(stats_histogram_quantile(one, BUCKETS, edge, 0, 9e9, 0.5), edge(1),
				1e-12);
}

/* By Kendall's variance (n (n - 1) (2n + 5) - sum of t (t - 1) (2t + 5) over ties) / 18. */
TEST(drift_by_the_normal_tail)
{
	static const struct {
		double values[8];
		size_t count;
		double p_value;
	} cases[] = {
		{{1, 2, 2, 3, 3, 3, 4, 5}, 8, 0.003147759855700587}, /* S 24, ties 84 */
		{{5, 3, 4, 4, 2, 1, 1}, 7, 0.0314190055577459},	     /* S -15, ties 36 */
		{{1, 2, 3, 3}, 4, 0.1485617748918687},		     /* S 5, ties 18 */
	};

	EACH_ROW(each, cases, COUNT(cases))
		ck_assert_double_eq_tol(stats_drift(each->values, each->count), each->p_value,
					1e-12);
}
