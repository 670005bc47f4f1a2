/* drift.c: tests whether values drift in the order in which they were taken. */
/* SPDX-License-Identifier: MIT */
#include "model/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	VALUES_MIN = 4,
	EXACT_MAX = 20,
	ALL_SLOPES_MAX = 500,
	/* shares of the orders of EXACT_MAX values with 0, 1, ... falling pairs */
	SHARES = EXACT_MAX * (EXACT_MAX - 1) / 2 + 1,
};

/* Sorts the values and returns how many pairs of them were in falling order. */
static double sort_falls(double *values, size_t count, double *spare)
{
	size_t half = count / 2, left = 0, right = half;
	double falls;

	if (count < 2)
		return 0;
	falls = sort_falls(values, half, spare) + sort_falls(values + half, count - half, spare);
	for (size_t i = 0; i < count; i++)
		if (left < half && (right == count || values[left] <= values[right])) {
			spare[i] = values[left++];
		} else {
			spare[i] = values[right++];
			falls += (double)(half - left);
		}
	memcpy(values, spare, count * sizeof *values);
	return falls;
}

/* Kendall's S: pairs that rise minus pairs that fall. *ties gets the sum over groups of t equal
 * values of t (t - 1) (2t + 5). */
static double kendall_sum(const double *values, size_t count, double *ties)
{
	double *sorted = memory_rows(2 * count, sizeof *sorted), sum, equal = 1;

	memcpy(sorted, values, count * sizeof *sorted);
	sum = (double)count * (double)(count - 1) / 2 -
	      2 * sort_falls(sorted, count, sorted + count);
	*ties = 0;
	for (size_t i = 1; i <= count; i++, equal++) {
		if (i < count && sorted[i] == sorted[i - 1])
			continue;
		sum -= equal * (equal - 1) / 2;
		*ties += equal * (equal - 1) * (2 * equal + 5);
		equal = 0;
	}
	free(sorted);
	return sum;
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

struct drift stats_drift(const double *values, size_t count)
{
	struct drift drift = {NAN, NAN, 0};
	double sum, ties, n, variance;

	if (count < VALUES_MIN)
		return drift;
	sum = kendall_sum(values, count, &ties);
	drift.tau = sum / ((double)count * (double)(count - 1) / 2);
	/* M. G. Kendall, Rank Correlation Methods: variance of S, with the correction for ties; the
	 * step of S is 2, so half of it is taken off for continuity */
	n = (double)count;
	variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
	if (ties == 0 && count <= EXACT_MAX)
		drift.p_value = exact_tail(sum, (int)count);
	else if (variance <= 0)
		drift.p_value = 1;
	else
		drift.p_value = erfc(fmax(0, fabs(sum) - 1) / sqrt(variance) / sqrt(2));
	drift.significant = drift.p_value < 1 - STATS_CONFIDENCE;
	return drift;
}
