/* stats.h: what repeated runs can and cannot tell: means, intervals, tests, quantiles. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_STATS_H
#define MODEL_STATS_H

#include <stddef.h>
#include <stdint.h>

/* Two-sided: the share of intervals that hold the true value. */
#define STATS_CONFIDENCE      0.95
/* So many standard deviations to each side of a normally distributed figure. */
#define STATS_NORMAL_QUANTILE 1.959963984540054

/* A figure and its 95 % interval; low and high are NAN where too few values were given for one. */
struct interval {
	double value, low, high;
};

/* The interval of half this width to each side of the value. */
struct interval interval_around(double value, double half);

/* Each is NAN for too few values: none, or for stats_sd fewer than 2. The sd is the sample's,
 * divided by count - 1. */
double stats_mean(const double *values, size_t count);
double stats_sd(const double *values, size_t count);
double stats_median(const double *values, size_t count);

/* The median, between the two values in order whose ranks hold the true one with at least the
 * confidence, whatever the distribution (binomial; 9 values: the second and the last but one). No
 * interval for fewer than 6 values. */
struct interval stats_median_interval(const double *values, size_t count);
/* The mean, +- t(count - 1) sd / sqrt(count). */
struct interval stats_mean_interval(const double *values, size_t count);
/* mean(values) - mean(base). Two sets of runs differ significantly if the interval excludes 0: that
 * is the test of B. L. Welch (Biometrika 34, 1947). */
struct interval stats_difference_interval(const double *values, size_t count, const double *base,
					  size_t base_count);
/* mean(values) / mean(base), a speed-up for throughputs. The interval is by the delta method on
 * the two means' relative errors, with the degrees of freedom of Welch and Satterthwaite. */
struct interval stats_ratio_interval(const double *values, size_t count, const double *base,
				     size_t base_count);

/* The variance of a measured point as a fit's squared errors tell it, with dof degrees of freedom
 * left. Made larger by the square of Student's t over the normal quantile, so that a normal
 * interval from it is as wide as it should be. 0 for dof <= 0: not known. */
double stats_residual_variance(double square_error, double dof);

/* How many of the values lie further than ten standard deviations from the median, the deviation
 * estimated as 1.4826 times the median absolute deviation (but as no less than 0.01 % of the
 * median, so that equal values make no outlier of the next). flags[], when not NULL, gets 1 for
 * each such value. 0 for fewer than 3 values. */
size_t stats_outliers(const double *values, size_t count, unsigned char *flags);
/* 1 if the first of the run times is such an outlier to the slow side, as measured by the others'
 * median and deviation: a cold cache or a missing warm-up. */
int stats_first_slow(const double *times, size_t count);

/* Do the values drift in the order in which they were taken? Returns the two-sided p-value of the
 * Mann-Kendall test for a trend (exact while no two values are equal and there are up to 20, else
 * by the normal approximation with Kendall's correction for ties); NAN for fewer than 4 values. */
double stats_drift(const double *values, size_t count);
/* Slope * (count - 1) / median: 0.1 is 10 % up from first to last. The slope is that of Theil and
 * Sen: the median over all pairs. */
double stats_change(const double *values, size_t count);

/* The q-quantile (0 <= q <= 1) of values that are known by their histogram: bucket i holds those
 * from low(i) to low(i + 1). Interpolates geometrically inside a bucket (linearly where it begins
 * at 0), and stays between min and max, which are known exactly. NAN for an empty histogram. */
double stats_histogram_quantile(const uint64_t *buckets, int count, double (*low)(int bucket),
				double min, double max, double q);

/* The chance that |t| or more is seen with dof > 0 degrees of freedom (INFINITY: normal); NAN for
 * arguments that are not numbers. Good to 1e-12 for up to a hundred degrees of freedom, to 1e-6 for
 * any number of them. */
double student_tail(double t, double dof);
/* The t with 1 - confidence in both tails together; NAN unless 0 < confidence < 1 and dof > 0. */
double student_quantile(double confidence, double dof);

#endif
