/* usl.c: fits the universal scalability law. */
/* SPDX-License-Identifier: MIT */
#include "model/usl.h"

#include <math.h>
#include <string.h>

#include "base/array.h"

enum { STEPS_MAX = 100 };
#define PART_MIN 1e-12 /* of a step; a smaller one makes no difference */

/* The law's two parameters; which of them may move. */
struct law {
	double a, b;
	int moves_a, moves_b;
};

/* Sums over the points: products of the derivatives, and of the derivatives with a value. */
struct normal {
	double aa, ab, bb, a, b;
};

static double law_value(double a, double b, double n)
{
	return n / (1 + a * (n - 1) + b * n * (n - 1));
}

/* dS/da and dS/db. */
static void law_slopes(double a, double b, double n, double *by_a, double *by_b)
{
	double value = law_value(a, b, n);

	*by_a = -value * value * (n - 1) / n;
	*by_b = -value * value * (n - 1);
}

static int is_usable(const struct speedup_point *point)
{
	return point->threads >= 2 && isfinite(point->speedup) && point->speedup > 0;
}

static void normal_add(struct normal *sums, double by_a, double by_b, double value, double weight)
{
	sums->aa += weight * by_a * by_a;
	sums->ab += weight * by_a * by_b;
	sums->bb += weight * by_b * by_b;
	sums->a += weight * by_a * value;
	sums->b += weight * by_b * value;
}

/* Solves the normal equations for the parameters that may move. */
static void normal_solve(const struct normal *sums, const struct law *law, double *step_a,
			 double *step_b)
{
	double determinant = sums->aa * sums->bb - sums->ab * sums->ab;

	*step_a = *step_b = 0;
	if (law->moves_a && law->moves_b && determinant > 0) {
		*step_a = (sums->a * sums->bb - sums->b * sums->ab) / determinant;
		*step_b = (sums->b * sums->aa - sums->a * sums->ab) / determinant;
	} else if (law->moves_a) {
		*step_a = sums->a / sums->aa;
	} else if (law->moves_b) {
		*step_b = sums->b / sums->bb;
	}
}

static double square_error(const struct speedup_point *points, size_t count, double a, double b)
{
	double sum = 0;

	EACH_ROW(point, points, count) {
		double error;

		if (!is_usable(point))
			continue;
		error = point->speedup - law_value(a, b, point->threads);
		sum += error * error;
	}
	return sum;
}

/* One step of Gauss and Newton, halved until it helps. Returns 0 when none does. */
static int improve(const struct speedup_point *points, size_t count, struct law *law)
{
	double before = square_error(points, count, law->a, law->b), step_a, step_b;
	struct normal sums = {0};

	EACH_ROW(point, points, count) {
		double n = point->threads, by_a, by_b;

		if (!is_usable(point))
			continue;
		law_slopes(law->a, law->b, n, &by_a, &by_b);
		normal_add(&sums, by_a, by_b, point->speedup - law_value(law->a, law->b, n), 1);
	}
	normal_solve(&sums, law, &step_a, &step_b);
	for (double part = 1; part > PART_MIN; part /= 2) {
		double a = fmax(law->a + part * step_a, 0);
		double b = fmax(law->b + part * step_b, 0);

		if (square_error(points, count, a, b) < before) {
			law->a = a;
			law->b = b;
			return 1;
		}
	}
	return 0;
}

/* Fits the given parameters and keeps the others at 0, starting at linear speed-up. */
static struct law fit_law(const struct speedup_point *points, size_t count, int moves_a,
			  int moves_b)
{
	struct law law = {.moves_a = moves_a, .moves_b = moves_b};

	for (int i = 0; i < STEPS_MAX; i++)
		if (!improve(points, count, &law))
			break;
	return law;
}

/* The best of the laws with both parameters free and with either of them at its bound, 0. */
static struct law best_law(const struct speedup_point *points, size_t count)
{
	struct law best = fit_law(points, count, 1, 1);

	for (int moves_a = 0; moves_a <= 1; moves_a++) {
		struct law law = fit_law(points, count, moves_a, !moves_a);

		if (square_error(points, count, law.a, law.b) <
		    square_error(points, count, best.a, best.b))
			best = law;
	}
	return best;
}

/* The sandwich (J'J)^-1 J'VJ (J'J)^-1, V the points' variances. Returns -1 where a point has none.
 */
static int set_covariance(const struct speedup_point *points, size_t count, double residual,
			  struct usl_fit *fit)
{
	struct normal bread = {0}, meat = {0};
	double determinant, pa, pb, pab;

	EACH_ROW(point, points, count) {
		double by_a, by_b, variance = fmax(point_variance(point), residual);

		if (!is_usable(point))
			continue;
		if (!(variance > 0))
			return -1;
		law_slopes(fit->a.value, fit->b.value, point->threads, &by_a, &by_b);
		normal_add(&bread, by_a, by_b, 0, 1);
		normal_add(&meat, by_a, by_b, 0, variance);
	}
	determinant = bread.aa * bread.bb - bread.ab * bread.ab;
	pa = bread.bb / determinant;
	pb = bread.aa / determinant;
	pab = -bread.ab / determinant;
	fit->var_a = pa * pa * meat.aa + 2 * pa * pab * meat.ab + pab * pab * meat.bb;
	fit->var_b = pab * pab * meat.aa + 2 * pab * pb * meat.ab + pb * pb * meat.bb;
	fit->covar = pa * pab * meat.aa + (pa * pb + pab * pab) * meat.ab + pab * pb * meat.bb;
	return 0;
}

static void set_ends(struct interval *interval, double variance)
{
	double half = STATS_NORMAL_QUANTILE * sqrt(variance);

	interval->low = fmax(interval->value - half, 0);
	interval->high = interval->value + half;
}

static void set_intervals(const struct speedup_point *points, size_t count, struct usl_fit *fit)
{
	double residual =
		stats_residual_variance(fit->error * fit->error * fit->points, fit->points - 2);

	if (set_covariance(points, count, residual, fit)) {
		fit->var_a = fit->var_b = fit->covar = NAN;
		fit->a.low = fit->a.high = fit->b.low = fit->b.high = NAN;
		return;
	}
	set_ends(&fit->a, fit->var_a);
	set_ends(&fit->b, fit->var_b);
}

int usl_fit(const struct speedup_point *points, size_t count, struct usl_fit *fit)
{
	int first = 0, differ = 0;
	struct law law;

	memset(fit, 0, sizeof *fit);
	EACH_ROW(point, points, count) {
		if (!is_usable(point))
			continue;
		if (!fit->points++)
			first = point->threads;
		differ |= point->threads != first;
	}
	if (!differ)
		return -1;
	law = best_law(points, count);
	fit->a.value = law.a;
	fit->b.value = law.b;
	fit->error = sqrt(square_error(points, count, law.a, law.b) / fit->points);
	set_intervals(points, count, fit);
	return 0;
}

struct interval usl_speedup(const struct usl_fit *fit, int n)
{
	struct interval speedup;
	double by_a, by_b, variance, half;

	speedup.value = law_value(fit->a.value, fit->b.value, n);
	law_slopes(fit->a.value, fit->b.value, n, &by_a, &by_b);
	variance =
		by_a * by_a * fit->var_a + 2 * by_a * by_b * fit->covar + by_b * by_b * fit->var_b;
	half = STATS_NORMAL_QUANTILE * sqrt(variance > 0 || isnan(variance) ? variance : 0);
	speedup.low = speedup.value - half;
	speedup.high = speedup.value + half;
	return speedup;
}
