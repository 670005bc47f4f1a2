/* stats.c: means, intervals and tests of repeated runs. */
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

/* Returns how many values at each end lie outside the interval of the median, or -1 if there are
 * too few values for an interval. Each value is below the true median with probability 1/2. */
static long outside_median(size_t count)
{
	double term = pow(0.5, (double)count), below = term;
	long outside = -1;

	while (below <= (1 - STATS_CONFIDENCE) / 2) {
		outside++;
		term *= (double)(count - (size_t)outside) / (double)(outside + 1);
		below += term;
	}
	return outside;
}

struct interval stats_median_interval(const double *values, size_t count)
{
	struct interval interval = {NAN, NAN, NAN};
	double *sorted = sort_values(values, count, &interval.value);
	long outside = outside_median(count);

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
	double half = student_quantile(STATS_CONFIDENCE, dof) * error;

	return (struct interval){value, value - half, value + half};
}

/* The squared standard error of the mean. */
static double mean_variance(const double *values, size_t count)
{
	double sd = stats_sd(values, count);

	return sd * sd / (double)count;
}

/* Degrees of freedom of the sum of two means' variances a and b (F. E. Satterthwaite, Biometrics
 * Bulletin 2, 1946). Where neither varies, those of both samples together. */
static double welch_dof(double a, size_t a_count, double b, size_t b_count)
{
	double sum = a + b;

	if (sum <= 0)
		return (double)(a_count + b_count - 2);
	a /= sum; /* so that squares cannot vanish */
	b /= sum;
	return 1 / (a * a / (double)(a_count - 1) + b * b / (double)(b_count - 1));
}

struct interval stats_mean_interval(const double *values, size_t count)
{
	double mean = stats_mean(values, count);

	return around(mean, sqrt(mean_variance(values, count)), (double)(count - 1));
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

struct welch stats_welch(const double *before, size_t before_count, const double *after,
			 size_t after_count)
{
	double difference = stats_mean(after, after_count) - stats_mean(before, before_count);
	struct welch welch = {.difference = {difference, NAN, NAN}, NAN, NAN, NAN, 0};
	double a, b;

	if (before_count < 2 || after_count < 2)
		return welch;
	a = mean_variance(before, before_count);
	b = mean_variance(after, after_count);
	welch.dof = welch_dof(a, before_count, b, after_count);
	welch.difference = around(difference, sqrt(a + b), welch.dof);
	welch.t = difference != 0 ? difference / sqrt(a + b) : 0;
	welch.p_value = student_tail(welch.t, welch.dof);
	welch.significant = welch.p_value < 1 - STATS_CONFIDENCE;
	return welch;
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
	double total = 0, below = 0, wanted, value = max;

	for (int i = 0; i < count; i++)
		total += (double)buckets[i];
	if (!(total > 0) || !(q >= 0 && q <= 1))
		return NAN;
	wanted = q * total;
	for (int i = 0; i < count; i++) {
		if (buckets[i] && below + (double)buckets[i] >= wanted) {
			double part = (wanted - below) / (double)buckets[i]; /* of the bucket */

			value = low(i) > 0 ? low(i) * pow(low(i + 1) / low(i), part)
					   : low(i + 1) * part;
			break;
		}
		below += (double)buckets[i];
	}
	return fmin(fmax(value, min), max);
}
