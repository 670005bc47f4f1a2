/* stats.c: means, intervals and tests of repeated runs; the tails of Student's t distribution;
 * tests whether values drift in the order in which they were taken. */
/* SPDX-License-Identifier: MIT */
#include "model/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

#define OUTLIER_SDS 10
#define SD_OF_MAD   1.4826 /* of a normal distribution: 1 / its quantile at 3/4 */
#define SD_FLOOR    1e-4   /* of the median */

struct interval interval_around(double value, double half)
{
	return (struct interval){value, value - half, value + half};
}

double stats_mean(const double *values, size_t count)
{
	double sum = 0;

	EACH_ROW(value, values, count)
		sum += *value;
	return count ? sum / (double)count : NAN;
}

double stats_sd(const double *values, size_t count)
{
	double mean = stats_mean(values, count), sum = 0;

	EACH_ROW(value, values, count)
		sum += pow(*value - mean, 2);
	return count > 1 ? sqrt(sum / (double)(count - 1)) : NAN;
}

COMPARE(compare_doubles, double, ORDER(*a, *b))

/* Returns a sorted copy of the values, which the caller frees; *median is NAN if there are none. */
static double *sort_values(const double *values, size_t count, double *median)
{
	double *sorted = memory_rows(count, sizeof *sorted);

	*median = NAN;
	if (!count)
		return sorted;
	memcpy(sorted, values, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, compare_doubles);
	*median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
	return sorted;
}

double stats_median(const double *values, size_t count)
{
	double median;

	free(sort_values(values, count, &median));
	return median;
}

struct interval stats_median_interval(const double *values, size_t count)
{
	struct interval interval = {NAN, NAN, NAN};
	double *sorted = sort_values(values, count, &interval.value);
	double term = pow(0.5, (double)count), below = term;
	long outside = -1; /* index of the last value at each end outside the interval */

	/* each value is below the true median with probability 1/2 */
	while (below <= (1 - STATS_CONFIDENCE) / 2) {
		outside++;
		term *= (double)(count - (size_t)outside) / (double)(outside + 1);
		below += term;
	}
	if (outside >= 0) {
		interval.low = sorted[outside];
		interval.high = sorted[(long)count - 1 - outside];
	}
	free(sorted);
	return interval;
}

/* Both ends are NAN if the error is not known, as of a single value. */
static struct interval around(double value, double error, double dof)
{
	return interval_around(value, student_quantile(STATS_CONFIDENCE, dof) * error);
}

/* The squared standard error of the mean. */
static double mean_variance(const double *values, size_t count)
{
	double sd = stats_sd(values, count);

	return sd * sd / (double)count;
}

/* Degrees of freedom of the sum of two means' variances a and b (F. E. Satterthwaite, Biometrics
 * Bulletin 2, 1946). Where neither varies, the interval has no width with any number. */
static double welch_dof(double a, size_t a_count, double b, size_t b_count)
{
	double sum = a + b;

	if (sum <= 0)
		return 1;
	a /= sum; /* so that squares cannot vanish */
	b /= sum;
	return 1 / (a * a / (double)(a_count - 1) + b * b / (double)(b_count - 1));
}

struct interval stats_mean_interval(const double *values, size_t count)
{
	double mean = stats_mean(values, count);

	return around(mean, sqrt(mean_variance(values, count)), (double)(count - 1));
}

struct interval stats_difference_interval(const double *values, size_t count, const double *base,
					  size_t base_count)
{
	double a = mean_variance(values, count), b = mean_variance(base, base_count);

	return around(stats_mean(values, count) - stats_mean(base, base_count), sqrt(a + b),
		      welch_dof(a, count, b, base_count));
}

struct interval stats_ratio_interval(const double *values, size_t count, const double *base,
				     size_t base_count)
{
	double above = stats_mean(values, count), below = stats_mean(base, base_count);
	double ratio = below != 0 ? above / below : NAN, a, b;

	/* var(x / y) = var(x) / y^2 + (x / y)^2 var(y) / y^2, to first order */
	a = mean_variance(values, count) / (below * below);
	b = mean_variance(base, base_count) / (below * below) * ratio * ratio;
	return around(ratio, sqrt(a + b), welch_dof(a, count, b, base_count));
}

double stats_residual_variance(double square_error, double dof)
{
	double scale = student_quantile(STATS_CONFIDENCE, dof) / STATS_NORMAL_QUANTILE;

	return dof > 0 ? square_error / dof * scale * scale : 0;
}

/* Returns the estimated sd of the values and sets their median, robust against a minority of
 * outliers. */
static double robust_sd(const double *values, size_t count, double *median)
{
	double *deviations = memory_rows(count, sizeof *deviations), sd;

	*median = stats_median(values, count);
	for (size_t i = 0; i < count; i++)
		deviations[i] = fabs(values[i] - *median);
	sd = fmax(SD_OF_MAD * stats_median(deviations, count), SD_FLOOR * fabs(*median));
	free(deviations);
	return sd;
}

size_t stats_outliers(const double *values, size_t count, unsigned char *flags)
{
	double median, sd;
	size_t outliers = 0;

	if (flags)
		memset(flags, 0, count);
	if (count < 3)
		return 0;
	sd = robust_sd(values, count, &median);
	for (size_t i = 0; i < count; i++) {
		int is_outlier = fabs(values[i] - median) > OUTLIER_SDS * sd;

		outliers += (size_t)is_outlier;
		if (flags)
			flags[i] = (unsigned char)is_outlier;
	}
	return outliers;
}

int stats_first_slow(const double *times, size_t count)
{
	double median, sd;

	if (count < 3)
		return 0;
	sd = robust_sd(times + 1, count - 1, &median);
	return times[0] - median > OUTLIER_SDS * sd;
}

double stats_histogram_quantile(const uint64_t *buckets, int count, double (*low)(int bucket),
				double min, double max, double q)
{
	double total = 0, below = 0, part, value;
	int at = 0; /* the bucket, which is there: all of them hold `total` */

	for (int i = 0; i < count; i++)
		total += (double)buckets[i];
	if (!(total > 0) || !(q >= 0 && q <= 1))
		return NAN;
	while (!buckets[at] || below + (double)buckets[at] < q * total)
		below += (double)buckets[at++];
	part = (q * total - below) / (double)buckets[at];
	value = low(at) > 0 ? low(at) * pow(low(at + 1) / low(at), part) : low(at + 1) * part;
	return fmin(fmax(value, min), max);
}

enum { FRACTION_TERMS = 10000 };

/* The incomplete beta function for 0 < x < 1, y = 1 - x, from its continued fraction (NIST Handbook
 * of Mathematical Functions, 8.17.22): I_x(a, b) = x^a (1-x)^b / (a B(a, b)) * 1 / (1 + d_1 / (1 +
 * d_2 / ...)), by the products of W. J. Lentz (Applied Optics 15, 1976). */
static double lower_part(double x, double y, double a, double b)
{
	double scale = a * log(x) + b * log(y) + lgamma(a + b) - lgamma(a) - lgamma(b);
	double value = 1, up = 1, down = 0;

	for (int j = 1; j <= FRACTION_TERMS && fabs(up * down - 1) >= 1e-15; j++) {
		int k = j / 2;
		double term = (j % 2 ? -(a + k) * (a + b + k) : k * (b - k)) * x /
			      ((a + j - 1) * (a + j));

		down = 1 / (1 + term * down);
		up = 1 + term / up;
		value *= up * down;
	}
	return exp(scale) / a / value;
}

/* NIST Handbook, 8.17: the two tails hold I_x(dof / 2, 1 / 2) with x = dof / (dof + t^2). From a
 * million degrees of freedom on the distribution is normal to 1e-6. The fraction converges fast
 * below the mean; above it, the other tail is taken. */
double student_tail(double t, double dof)
{
	double square = t * t, x, y;

	if (dof > 1e6)
		return erfc(fabs(t) / sqrt(2));
	if (isinf(square))
		return 0;
	x = dof / (dof + square);
	y = square / (dof + square); /* 1 - x, known to its own precision */
	if (x <= (dof / 2 + 1) / (dof / 2 + 2.5))
		return lower_part(x, y, dof / 2, 0.5);
	return 1 - lower_part(y, x, 0.5, dof / 2);
}

double student_quantile(double confidence, double dof)
{
	double low = 0, high = 1, middle;

	if (!(confidence > 0 && confidence < 1 && dof > 0))
		return NAN;
	while (student_tail(high, dof) > 1 - confidence)
		high *= 2;
	for (;;) {
		middle = low + (high - low) / 2;
		if (middle <= low || middle >= high)
			return high;
		if (student_tail(middle, dof) > 1 - confidence)
			low = middle;
		else
			high = middle;
	}
}

enum {
	VALUES_MIN = 4,
	EXACT_MAX = 20,
	ALL_SLOPES_MAX = 500,
	/* shares of the orders of EXACT_MAX values with 0, 1, ... falling pairs */
	SHARES = EXACT_MAX * (EXACT_MAX - 1) / 2 + 1,
};

/* Kendall's S: pairs that rise minus pairs that fall. *ties gets the sum over groups of t equal
 * values of t (t - 1) (2t + 5). */
static double kendall_sum(const double *values, size_t count, double *ties)
{
	double median, *sorted = sort_values(values, count, &median), equal = 1;
	long sum = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++)
			sum += ORDER(values[i], values[j]);
	*ties = 0;
	for (size_t i = 1; i < count; i++) {
		equal = sorted[i] == sorted[i - 1] ? equal + 1 : 1;
		*ties += 6 * (equal * equal - 1); /* what the sum grows by */
	}
	free(sorted);
	return (double)sum;
}

/* The chance of |S| or more in a random order of distinct values. The share of orders with k
 * falling pairs comes from inserting one value after the other: the i-th adds 0 .. i - 1 of them.
 */
static double exact_tail(double sum, int count)
{
	double share[SHARES] = {1}, tail = 0;
	int pairs = 0;

	for (int i = 2; i <= count; i++) {
		double next[SHARES] = {0};

		for (int k = 0; k <= pairs; k++)
			for (int added = 0; added < i; added++)
				next[k + added] += share[k] / i;
		pairs += i - 1;
		memcpy(share, next, sizeof share);
	}
	for (int k = 0; k <= pairs; k++)
		if (abs(pairs - 2 * k) >= fabs(sum))
			tail += share[k];
	return fmin(tail, 1);
}

/* The slope is the median of those between all pairs (H. Theil 1950, P. K. Sen 1968), or, where
 * these are too many, of the pairs half of the values apart (Theil's incomplete method). */
double stats_change(const double *values, size_t count)
{
	double median = stats_median(values, count), *slopes = NULL, change;
	size_t half = count / 2, nslopes = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t j = count > ALL_SLOPES_MAX ? i + half : i + 1; j < count; j++) {
			double slope = (values[j] - values[i]) / (double)(j - i);

			memory_append(&slopes, &nslopes, sizeof slope, &slope);
			if (count > ALL_SLOPES_MAX)
				break;
		}
	change = stats_median(slopes, nslopes) * (double)(count - 1) / fabs(median);
	free(slopes);
	return median != 0 ? change : NAN;
}

double stats_drift(const double *values, size_t count)
{
	double sum, ties, n, variance;

	if (count < VALUES_MIN)
		return NAN;
	sum = kendall_sum(values, count, &ties);
	/* M. G. Kendall, Rank Correlation Methods: variance of S, with the correction for ties; the
	 * step of S is 2, so half of it is taken off for continuity */
	n = (double)count;
	variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
	if (ties == 0 && count <= EXACT_MAX)
		return exact_tail(sum, (int)count);
	if (variance <= 0)
		return 1;
	return erfc(fmax(0, fabs(sum) - 1) / sqrt(variance) / sqrt(2));
}
