/* fit.c: fits the number of shared units, and the universal scalability law, to measured speed-ups.
 */
/* SPDX-License-Identifier: MIT */
#include "model/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/memory.h"

enum {
	FINE_NODES = 16, /* below m = 1: UNITS_MIN is the first, 1 comes after them */
	BISECTIONS = 60,
	STEPS_MAX = 100, /* of Gauss and Newton */
};

/* The model's speed-ups at the nodes of a grid in m, computed when they are first needed. */
struct grid {
	double (*speedup)(void *context, int n, double m);
	void *context;
	const struct speedup_point *points; /* only those with 2 threads or more */
	size_t npoints;
	int nodes;
	double *values;	  /* [node][point]; NAN: not computed yet */
	double *variance; /* of the points */
	size_t left_out;  /* index of the point to ignore; npoints: none */
	double scale;	  /* factor for the speed-ups of all points */
	int failed;
};

/* The variance that the point's interval stands for; 0 where that is not known. */
static double point_variance(const struct speedup_point *point)
{
	double sd = point->half / STATS_NORMAL_QUANTILE;

	return isfinite(sd) ? sd * sd : 0;
}

/* Returns a fresh array of the points that say something about m or the law, and sets their number.
 */
static struct speedup_point *usable_points(const struct speedup_point *points, size_t *count)
{
	struct speedup_point *usable = memory_rows(*count, sizeof *usable);
	size_t kept = 0;

	EACH_ROW(point, points, *count)
		if (point->threads >= 2 && isfinite(point->speedup) && point->speedup > 0)
			usable[kept++] = *point;
	*count = kept;
	return usable;
}

static double node_units(int node)
{
	if (node < FINE_NODES)
		return UNITS_MIN * pow(1 / UNITS_MIN, (double)node / FINE_NODES);
	return node - FINE_NODES + 1;
}

static double node_value(struct grid *grid, int node, size_t point)
{
	double *value = &grid->values[(size_t)node * grid->npoints + point];

	if (isnan(*value)) {
		*value =
			grid->speedup(grid->context, grid->points[point].threads, node_units(node));
		if (isnan(*value))
			grid->failed = 1;
	}
	return *value;
}

/* The model at a position between two nodes, by linear interpolation. */
static double grid_value(struct grid *grid, double position, size_t point)
{
	int node = (int)position;
	double part = position - node, low = node_value(grid, node, point);

	return part != 0 ? low + part * (node_value(grid, node + 1, point) - low) : low;
}

static double position_units(double position)
{
	int node = (int)position;
	double part = position - node, low = node_units(node);

	return part != 0 ? low + part * (node_units(node + 1) - low) : low;
}

/* Sum of squared errors; if variances are given, each is divided by its point's variance. */
static double grid_error(struct grid *grid, double position, const double *variance)
{
	double sum = 0;

	for (size_t i = 0; i < grid->npoints; i++) {
		double error =
			grid->scale * grid->points[i].speedup - grid_value(grid, position, i);

		if (i == grid->left_out)
			continue;
		sum += variance ? error * error / variance[i] : error * error;
	}
	return sum;
}

/* The best position between a node and the next one. There the model is linear and the sum of
 * squares a parabola. */
static double best_in_segment(struct grid *grid, int node)
{
	double along = 0, square = 0;

	for (size_t i = 0; i < grid->npoints; i++) {
		double low = node_value(grid, node, i);
		double rise = node_value(grid, node + 1, i) - low;

		if (i == grid->left_out)
			continue;
		along += rise * (grid->scale * grid->points[i].speedup - low);
		square += rise * rise;
	}
	return node + fmin(fmax(along / square, 0), 1); /* fmax(NAN, 0) is 0: a level segment */
}

/* Walks downhill from m = 1 in both directions, also over level segments. */
static double find_best(struct grid *grid)
{
	double best = FINE_NODES;

	for (int step = 1; step >= -1; step -= 2)
		for (int node = (int)ceil(best); node + step >= 0 && node + step < grid->nodes;
		     node += step) {
			double position = best_in_segment(grid, MIN(node, node + step));

			if (grid_error(grid, position, NULL) < grid_error(grid, best, NULL))
				best = position;
			if (grid_error(grid, node + step, NULL) > grid_error(grid, node, NULL))
				break;
		}
	return best;
}

/* Sets the points' variances. Returns 0 if a point has none, so that no interval can be computed.
 * The residuals of the fit count where a point has no interval, or where the fit was rejected. */
static int set_variances(struct grid *grid, double square_error, int rejected)
{
	double residual = stats_residual_variance(square_error, (double)grid->npoints - 1);

	for (size_t i = 0; i < grid->npoints; i++) {
		double own = point_variance(&grid->points[i]);

		grid->variance[i] = own > 0 && !rejected ? own : fmax(own, residual);
		if (!(grid->variance[i] > 0))
			return 0;
	}
	return 1;
}

/* How far from `best` in direction `step` (+1, -1) the weighted error stays within the limit: a
 * position, or the grid's end. */
static double find_end(struct grid *grid, double best, int step)
{
	double limit = grid_error(grid, best, grid->variance) +
		       STATS_NORMAL_QUANTILE * STATS_NORMAL_QUANTILE;
	double inside = best, outside = step > 0 ? floor(best) + 1 : ceil(best) - 1;

	for (;; inside = outside, outside += step) {
		if (outside < 0 || outside > grid->nodes - 1)
			return inside;
		if (grid_error(grid, outside, grid->variance) > limit)
			break;
	}
	for (int i = 0; i < BISECTIONS; i++) {
		double middle = (inside + outside) / 2;

		if (grid_error(grid, middle, grid->variance) > limit)
			outside = middle;
		else
			inside = middle;
	}
	return inside;
}

/* How far the fitted m moves if all points are higher by this share; INFINITY: beyond the grid. */
static double moved_by_base(struct grid *grid, double best, double share)
{
	double moved;

	grid->scale = 1 + share;
	moved = find_best(grid);
	grid->scale = 1;
	return moved > best && moved >= grid->nodes - 1
		       ? INFINITY
		       : position_units(moved) - position_units(best);
}

static void set_interval(struct grid *grid, double best, struct units_fit *fit)
{
	double end, base_half = grid->points[0].base_half;

	fit->low = fit->high = fit->own_low = fit->own_high = NAN;
	if (!set_variances(grid, grid_error(grid, best, NULL), fit->rejected))
		return;
	fit->own_low = position_units(find_end(grid, best, -1));
	end = find_end(grid, best, 1);
	fit->own_high = end >= grid->nodes - 1 ? INFINITY : position_units(end);
	fit->low = fit->units -
		   hypot(fit->units - fit->own_low, moved_by_base(grid, best, -base_half));
	fit->high = fit->units +
		    hypot(fit->own_high - fit->units, moved_by_base(grid, best, base_half));
	fit->low = fmax(fit->low, UNITS_MIN);
}

static double point_half(const struct speedup_point *point)
{
	double half = point_variance(point) > 0 ? point->half : UNITS_NOISE * point->speedup;

	return hypot(half, point->base_half * point->speedup);
}

static enum units_result judge(struct grid *grid, double tolerance)
{
	int visible = 0, one_explains = 1;

	for (size_t i = 0; i < grid->npoints; i++) {
		const struct speedup_point *point = &grid->points[i];
		double enough = (1 - tolerance) * node_value(grid, grid->nodes - 1, i);
		double one = node_value(grid, FINE_NODES, i);

		if (i == grid->left_out)
			continue;
		if (point->speedup + point_half(point) < enough)
			return UNITS_FITTED;
		visible |= one < enough;
		one_explains &= point->speedup - point_half(point) <= (1 + tolerance) * one;
	}
	return !one_explains ? UNITS_NONE_SEEN : visible ? UNITS_UNCLEAR : UNITS_NOT_VISIBLE;
}

/* The probability that the squares of `dof` standard normal errors add up to this sum or more
 * (Abramowitz and Stegun, 26.4.4 and 26.4.5). */
static double chi_squared_tail(double sum, size_t dof)
{
	double half = sum / 2, term = dof % 2 ? sqrt(sum * 2 / M_PI) : 1, i = dof % 2 ? 1.5 : 1;
	double tail = 0;

	for (; i <= (double)dof / 2; term *= half / i++)
		tail += term;
	return (dof % 2 ? erfc(sqrt(half)) : 0) + exp(-half) * tail;
}

static int is_rejected(struct grid *grid, double best, double tolerance)
{
	double sum = 0;

	for (size_t i = 0; i < grid->npoints; i++) {
		const struct speedup_point *point = &grid->points[i];
		double error = fabs(point->speedup - grid_value(grid, best, i));

		error = fmax(error - tolerance * point->speedup, 0) / point_half(point);
		sum += pow(error * STATS_NORMAL_QUANTILE, 2);
	}
	return chi_squared_tail(sum, grid->npoints > 1 ? grid->npoints - 1 : 1) <
	       1 - STATS_CONFIDENCE;
}

/* If the other points rule out one unit and agree with none, the prediction has none. */
static void check_left_out(struct grid *grid, double tolerance, struct units_fit *fit)
{
	fit->left_out = NAN;
	for (size_t i = 0; grid->npoints > 1 && i < grid->npoints; i++) {
		double error, position;

		grid->left_out = i;
		position = judge(grid, tolerance) == UNITS_NONE_SEEN ? grid->nodes - 1
								     : find_best(grid);
		error = grid_value(grid, position, i) / grid->points[i].speedup - 1;
		if (fabs(error) <= fabs(fit->left_out))
			continue;
		fit->left_out = error;
		fit->left_out_threads = grid->points[i].threads;
	}
	grid->left_out = grid->npoints;
}

int fit_units(const struct speedup_point *points, size_t count,
	      double (*speedup)(void *context, int n, double m), void *context, double tolerance,
	      struct units_fit *fit)
{
	struct speedup_point *usable = usable_points(points, &count);
	struct grid grid = {.speedup = speedup,
			    .context = context,
			    .points = usable,
			    .npoints = count,
			    .left_out = count,
			    .nodes = FINE_NODES,
			    .scale = 1,
			    .failed = !count};
	size_t nvalues;
	double best;

	memset(fit, 0, sizeof *fit);
	EACH_ROW(point, usable, count)
		grid.nodes = (int)fmax(grid.nodes, FINE_NODES + point->threads);
	nvalues = (size_t)grid.nodes * count;
	grid.values = memory_rows(nvalues, sizeof *grid.values);
	grid.variance = memory_rows(count, sizeof *grid.variance);
	EACH_ROW(value, grid.values, nvalues)
		*value = NAN;
	best = grid.failed ? 0 : find_best(&grid);
	if (!grid.failed) {
		fit->units = position_units(best);
		fit->error = sqrt(grid_error(&grid, best, NULL) / (double)grid.npoints);
		fit->points = (int)grid.npoints;
		fit->rejected = is_rejected(&grid, best, tolerance);
		set_interval(&grid, best, fit);
		fit->result = judge(&grid, tolerance);
		check_left_out(&grid, tolerance, fit);
	}
	free(grid.values);
	free(grid.variance);
	free(usable);
	return grid.failed ? -1 : 0;
}

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

static void normal_add(struct normal *sums, double by_a, double by_b, double value, double weight)
{
	sums->aa += weight * by_a * by_a;
	sums->ab += weight * by_a * by_b;
	sums->bb += weight * by_b * by_b;
	sums->a += weight * by_a * value;
	sums->b += weight * by_b * value;
}

static double square_error(const struct speedup_point *points, size_t count, double a, double b)
{
	double sum = 0;

	EACH_ROW(point, points, count) {
		double error = point->speedup - law_value(a, b, point->threads);

		sum += error * error;
	}
	return sum;
}

/* One step of Gauss and Newton, halved until it helps. Returns 0 when none does. */
static int improve(const struct speedup_point *points, size_t count, struct law *law)
{
	double before = square_error(points, count, law->a, law->b), step_a = 0, step_b = 0;
	double determinant;
	struct normal sums = {0};

	EACH_ROW(point, points, count) {
		double n = point->threads, by_a, by_b;

		law_slopes(law->a, law->b, n, &by_a, &by_b);
		normal_add(&sums, by_a, by_b, point->speedup - law_value(law->a, law->b, n), 1);
	}
	/* the normal equations for the parameters that may move */
	determinant = sums.aa * sums.bb - sums.ab * sums.ab;
	if (law->moves_a && law->moves_b && determinant > 0) {
		step_a = (sums.a * sums.bb - sums.b * sums.ab) / determinant;
		step_b = (sums.b * sums.aa - sums.a * sums.ab) / determinant;
	} else if (law->moves_a) {
		step_a = sums.a / sums.aa;
	} else if (law->moves_b) {
		step_b = sums.b / sums.bb;
	}
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

static void set_ends(struct interval *interval, double variance)
{
	double half = STATS_NORMAL_QUANTILE * sqrt(variance);

	interval->low = isnan(variance) ? NAN : fmax(interval->value - half, 0);
	interval->high = interval->value + half;
}

/* Sets the intervals by the sandwich (J'J)^-1 J'VJ (J'J)^-1, V the points' variances; NAN where a
 * point has none. */
static void set_intervals(const struct speedup_point *points, size_t count, struct usl_fit *fit)
{
	double residual =
		stats_residual_variance(fit->error * fit->error * fit->points, fit->points - 2);
	struct normal bread = {0}, meat = {0};
	double determinant, pa, pb, pab;

	EACH_ROW(point, points, count) {
		double by_a, by_b, variance = fmax(point_variance(point), residual);

		law_slopes(fit->a.value, fit->b.value, point->threads, &by_a, &by_b);
		normal_add(&bread, by_a, by_b, 0, 1);
		normal_add(&meat, by_a, by_b, 0, variance > 0 ? variance : NAN);
	}
	determinant = bread.aa * bread.bb - bread.ab * bread.ab;
	pa = bread.bb / determinant;
	pb = bread.aa / determinant;
	pab = -bread.ab / determinant;
	fit->var_a = pa * pa * meat.aa + 2 * pa * pab * meat.ab + pab * pab * meat.bb;
	fit->var_b = pab * pab * meat.aa + 2 * pab * pb * meat.ab + pb * pb * meat.bb;
	fit->covar = pa * pab * meat.aa + (pa * pb + pab * pab) * meat.ab + pab * pb * meat.bb;
	set_ends(&fit->a, fit->var_a);
	set_ends(&fit->b, fit->var_b);
}

int usl_fit(const struct speedup_point *points, size_t count, struct usl_fit *fit)
{
	struct speedup_point *usable = usable_points(points, &count);
	int differ = 0;
	struct law law;

	*fit = (struct usl_fit){.points = (int)count};
	EACH_ROW(point, usable, count)
		differ |= point->threads != usable->threads;
	if (differ) {
		/* the best with both parameters free, or with either of them at its bound, 0 */
		law = fit_law(usable, count, 1, 1);
		for (int moves_a = 0; moves_a <= 1; moves_a++) {
			struct law other = fit_law(usable, count, moves_a, !moves_a);

			if (square_error(usable, count, other.a, other.b) <
			    square_error(usable, count, law.a, law.b))
				law = other;
		}
		fit->a.value = law.a;
		fit->b.value = law.b;
		fit->error = sqrt(square_error(usable, count, law.a, law.b) / fit->points);
		set_intervals(usable, count, fit);
	}
	free(usable);
	return differ ? 0 : -1;
}

struct interval usl_speedup(const struct usl_fit *fit, int n)
{
	double value = law_value(fit->a.value, fit->b.value, n), by_a, by_b, variance, half;

	law_slopes(fit->a.value, fit->b.value, n, &by_a, &by_b);
	variance =
		by_a * by_a * fit->var_a + 2 * by_a * by_b * fit->covar + by_b * by_b * fit->var_b;
	half = STATS_NORMAL_QUANTILE * sqrt(variance < 0 ? 0 : variance);
	return interval_around(value, half);
}
