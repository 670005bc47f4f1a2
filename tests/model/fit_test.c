/* fit_test.c: tests the fits of shared units and of the scalability law. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "model/fit.h"
#include "model/models.h"
#include "model/replay.h"
#include "numbers.h"
#include "tests/unit.h"

static double queue_at(void *context, int n, double m)
{
	return model_queue(*(const double *)context, n, m);
}

/* A sequence to replay, and how often it was. */
struct recording {
	struct replay_pair pairs[20000];
	size_t count;
	int replays;
};

static double replay_at(void *context, int n, double m)
{
	struct recording *recording = context;

	recording->replays++;
	return replay_scaled(recording->pairs, recording->count, 1, 0, 0, n, m, 0);
}

static double forkjoin_at(void *context, int n, double m)
{
	return model_forkjoin(*(const double *)context, n, m);
}

static double never(void *context, int n, double m)
{
	return NAN;
}

/* Fails where the fit itself does not look, but its judgement does. */
static double not_many(void *context, int n, double m)
{
	return m > 4 ? (double)NAN : model_queue(0.5, n, m);
}

/* Speed-ups at 1, 2, 4, ... threads that the queue gives, with an error of 95 % half-width `half`.
 */
static size_t queue_points(struct speedup_point *points, size_t count, double f, double m,
			   double half, uint64_t *state)
{
	for (size_t i = 0; i < count; i++) {
		double error = half > 0 ? next_normal(state) * half / 1.96 : 0;

		points[i] =
			(struct speedup_point){1 << i, model_queue(f, 1 << i, m) + error, half, 0};
	}
	return count;
}

static struct units_fit queue_fit(const struct speedup_point *points, size_t count, double f)
{
	struct units_fit fit;

	ck_assert_int_eq(fit_units(points, count, queue_at, &f, UNITS_TOLERANCE, &fit), 0);
	return fit;
}

TEST(units_are_recovered)
{
	struct speedup_point points[5];
	struct units_fit fit;

	for (double f = 0.25; f < 1; f += 0.25)
		for (double m = 1; m < 6; m += 0.625) {
			size_t count = queue_points(points, 5, f, m, 0, NULL);

			fit = queue_fit(points, count, f);
			ck_assert_double_eq_tol(fit.units, m, 1e-6);
			ck_assert_int_eq(fit.points, 4);
			ck_assert_double_le(fit.error, 1e-6);
		}
	for (double m = 0.105; m < 1; m += 0.05) { /* linear between the nodes of a grid */
		double f = 0.55;

		queue_points(points, 3, f, m, 0, NULL);
		fit = queue_fit(points, 3, f);
		ck_assert_double_eq_tol(fit.units / m, 1, 0.01);
	}
}

TEST(fit_equals_scan)
{
	uint64_t state = 21;

	for (int round = 0; round < 50; round++) {
		struct speedup_point points[5];
		struct units_fit fit;
		double f = 0.1 + 0.8 * next_uniform(&state), best_error = INFINITY;

		queue_points(points, 5, f, 1 + 3 * next_uniform(&state), 0.4, &state);
		fit = queue_fit(points, 5, f);
		for (double m = 1; m <= 16; m += 0.001) {
			double error = 0;

			for (int i = 1; i < 5; i++)
				error += pow(points[i].speedup - model_queue(f, 1 << i, m), 2) / 4;
			best_error = fmin(best_error, sqrt(error));
		}
		ck_assert_double_le(fit.error, best_error + 1e-9);
	}
}

TEST(interval_holds_the_units)
{
	enum { ROUNDS = 2000 };
	uint64_t state = 22;
	int held = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct speedup_point point[2];
		struct units_fit fit;
		double f = 0.5;

		queue_points(point, 2, f, 1.4, 0.05, &state);
		fit = queue_fit(point, 2, f);
		ck_assert_double_le(fit.low, fit.units);
		ck_assert_double_ge(fit.high, fit.units);
		held += fit.low <= 1.4 && 1.4 <= fit.high;
	}
	ck_assert_double_eq_tol((double)held / ROUNDS, 0.95, 0.015);
}

/* All points are over one measurement of one thread, whose error they have in common. */
TEST(interval_holds_the_units_beside_a_common_error)
{
	enum { ROUNDS = 2000 };
	uint64_t state = 27;
	int held = 0, own = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct speedup_point points[4];
		struct units_fit fit;
		double f = 0.5, common;

		queue_points(points, 4, f, 1.4, 0.01, &state);
		common = next_normal(&state);
		for (int i = 1; i < 4; i++) {
			points[i].speedup *= 1 + 0.02 * common / 1.96;
			points[i].base_half = 0.02;
		}
		fit = queue_fit(points + 1, 3, f);
		held += fit.low <= 1.4 && 1.4 <= fit.high;
		own += fit.own_low <= 1.4 && 1.4 <= fit.own_high;
	}
	ck_assert_double_eq_tol((double)held / ROUNDS, 0.95, 0.02);
	ck_assert_double_lt((double)own / ROUNDS, 0.7);
}

/* Between 1 unit and 2 the speed-up of two threads rises evenly, and so do the ends of m. */
TEST(intervals_of_units_by_hand)
{
	double f = 0.5, one = model_queue(f, 2, 1), rise = 2 - one;
	struct speedup_point point = {2, one + rise / 2, 0.05, 0};
	struct units_fit fit;

	fit = queue_fit(&point, 1, f);
	ck_assert_double_eq_tol(fit.units, 1.5, 1e-9);
	ck_assert_double_eq_tol(fit.low, 1.5 - 0.05 / rise, 1e-9);
	ck_assert_double_eq_tol(fit.high, 1.5 + 0.05 / rise, 1e-9);
	point.base_half = 0.03;
	fit = queue_fit(&point, 1, f);
	ck_assert_double_eq_tol(fit.own_low, 1.5 - 0.05 / rise, 1e-9);
	ck_assert_double_eq_tol(fit.own_high, 1.5 + 0.05 / rise, 1e-9);
	ck_assert_double_eq_tol(fit.low, 1.5 - hypot(0.05, 0.03 * point.speedup) / rise, 1e-9);
	ck_assert_double_eq_tol(fit.high, 1.5 + hypot(0.05, 0.03 * point.speedup) / rise, 1e-9);
	/* the base alone, or the point, may be so far off that there is no upper end */
	point.base_half = 0.5;
	fit = queue_fit(&point, 1, f);
	ck_assert(isfinite(fit.own_high) && isinf(fit.high));
	point = (struct speedup_point){2, 2, 0.05, 0};
	fit = queue_fit(&point, 1, f);
	ck_assert_double_eq_tol(fit.low, 2 - 0.05 / rise, 1e-9);
	ck_assert(isinf(fit.high));
	/* nor a lower one */
	point = (struct speedup_point){2, 0.25, 0.5, 0};
	ck_assert_double_eq(queue_fit(&point, 1, f).own_low, UNITS_MIN);
	point.speedup /= 8;
	ck_assert_double_eq(queue_fit(&point, 1, f).units, UNITS_MIN);
}

/* 5 units serve 9 threads in as many rounds as 8 do, and 3 as 4. */
TEST(units_beyond_level_parts)
{
	for (double m = 1; m <= 9; m += 0.25) {
		double f = 0.5, level = m >= 3 && m <= 4 ? 3 : m >= 5 && m <= 8 ? 5 : m;
		struct speedup_point point = {9, model_forkjoin(f, 9, m), 0, 0};
		struct units_fit fit;

		ck_assert_int_eq(fit_units(&point, 1, forkjoin_at, &f, UNITS_TOLERANCE, &fit), 0);
		ck_assert_double_eq_tol(model_forkjoin(f, 9, fit.units), point.speedup, 1e-9);
		ck_assert_double_eq_tol(fit.units, level, 1e-9);
	}
}

/* Without BLAS all m explain all points: one unit, and what is left out first. */
TEST(units_without_blas)
{
	const struct speedup_point points[] = {{2, 2, 0.1, 0}, {4, 4, 0.1, 0}};
	struct units_fit fit;
	double f = 0;

	ck_assert_int_eq(fit_units(points, 2, queue_at, &f, 0, &fit), 0);
	ck_assert_int_eq(fit.result, UNITS_NOT_VISIBLE);
	ck_assert_double_eq(fit.units, 1);
	ck_assert_int_eq(fit.left_out_threads, 2);
}

TEST(what_the_points_cannot_tell)
{
	struct speedup_point ideal[] = {{1, 1, 0}, {2, 1.97, 0.02}, {4, 3.9, 0.03}};
	struct speedup_point rough[] = {{2, 1.6, 0.5}}, unknown[] = {{2, 1.6, NAN}};
	struct speedup_point slow[] = {{2, 0.8, 0.01}};
	struct units_fit fit;
	double f = 0.55, little = 0.02, all = 1;

	/* the interval ends at what one unit gives, and at what a unit for each thread gives */
	ck_assert_int_eq(
		fit_units(&(struct speedup_point){2, 1.5, 0.5}, 1, queue_at, &all, 0, &fit), 0);
	ck_assert_int_eq(fit.result, UNITS_UNCLEAR);
	fit = queue_fit(ideal, 3, f);
	ck_assert_int_eq(fit.result, UNITS_NONE_SEEN);
	fit = queue_fit(ideal, 3, little);
	ck_assert_int_eq(fit.result, UNITS_NOT_VISIBLE);
	fit = queue_fit(rough, 1, f);
	ck_assert_int_eq(fit.result, UNITS_UNCLEAR);
	ck_assert(isinf(fit.high));
	fit = queue_fit(unknown, 1, f);
	ck_assert_int_eq(fit.result, UNITS_FITTED);
	ck_assert(isnan(fit.low) && isnan(fit.high));
	fit = queue_fit(slow, 1, f);
	ck_assert_int_eq(fit.result, UNITS_FITTED);
	ck_assert_double_lt(fit.units, 0.6);
	ck_assert_int_eq(fit_units(ideal, 1, queue_at, &f, UNITS_TOLERANCE, &fit), -1);
	ck_assert_int_eq(fit_units(&(struct speedup_point){2, 0, 0.1}, 1, queue_at, &f,
				   UNITS_TOLERANCE, &fit),
			 -1);
	ck_assert_int_eq(fit_units(ideal, 0, queue_at, &f, UNITS_TOLERANCE, &fit), -1);
	ck_assert_int_eq(fit_units(ideal, 3, never, NULL, UNITS_TOLERANCE, &fit), -1);
	ck_assert_int_eq(fit_units(&(struct speedup_point){8, model_queue(0.5, 8, 1), 0.1}, 1,
				   not_many, NULL, UNITS_TOLERANCE, &fit),
			 -1);
}

/* Two threads that share one lock, by simulation: the replay's fit finds one unit, or says that
 * clockwork times would not show one. */
TEST(one_lock_is_one_unit)
{
	static const double shares[] = {0.20, 0.35, 0.55, 0.80};
	static struct recording recording, other;
	uint64_t state = 23;

	for (int variable = 0; variable <= 1; variable++)
		for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
			struct speedup_point point = {2, 0, 0.01};
			struct units_fit fit;

			recording.count = other.count = sizeof other.pairs / sizeof *other.pairs;
			for (size_t j = 0; j < 2 * recording.count; j++) {
				struct recording *to = j % 2 ? &other : &recording;
				double gap = variable ? -log(next_uniform(&state)) : 1;
				double service = variable ? -log(next_uniform(&state)) : 1;

				to->pairs[j / 2].gap_ns = (float)(1e4 * (1 - shares[i]) * gap);
				to->pairs[j / 2].service_ns = (float)(1e4 * shares[i] * service);
			}
			recording.replays = 0;
			point.speedup = replay_scaled(other.pairs, other.count, 1, 0, 0, 2, 1, 0);
			ck_assert_int_eq(
				fit_units(&point, 1, replay_at, &recording, UNITS_TOLERANCE, &fit),
				0);
			printf("%s f=%.2f S=%.3f: result %d, m = %.2f (%.2f to %.2f), %d replays\n",
			       variable ? "variable " : "clockwork", shares[i], point.speedup,
			       (int)fit.result, fit.units, fit.low, fit.high, recording.replays);
			ck_assert_int_eq(fit.result,
					 variable || i >= 2 ? UNITS_FITTED : UNITS_NOT_VISIBLE);
			if (fit.result == UNITS_FITTED)
				ck_assert_double_eq_tol(fit.units, 1, 0.1);
			ck_assert_int_le(recording.replays, 20);
		}
}

/* "No shared unit" takes points that rule out one unit; single runs count as good to UNITS_NOISE.
 */
TEST(no_unit_needs_points_that_rule_one_out)
{
	static const struct {
		struct speedup_point points[2];
		enum units_result result;
	} cases[] = {
		{{{2, 1.98, 0.05}, {4, 3.9, 0.1}}, UNITS_NONE_SEEN},
		{{{2, 1.98, 0.6}, {4, 3.9, 2.5}}, UNITS_UNCLEAR},
		{{{2, 1.98, 0.6}, {4, 3.9, 0.3}}, UNITS_NONE_SEEN}, /* one point is enough */
		{{{2, 1.98, NAN}, {4, 3.9, 0}}, UNITS_NONE_SEEN},
		{{{2, 1.55, 0.05}, {4, 1.85, 0.1}}, UNITS_FITTED},
		{{{2, 1.85, NAN}, {4, 3.7, 0}}, UNITS_NONE_SEEN}, /* 10 % off both of them */
		{{{2, 1.85, 0.02}, {4, 3.7, 0.02}}, UNITS_FITTED},
		{{{2, 1.98, 0.05}, {4, 3.7, 0.02, 0.1}}, UNITS_NONE_SEEN}, /* off the base */
	};
	struct units_fit fit;
	double f = 0.55, little = 0.05;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fit = queue_fit(cases[i].points, 2, f);
		ck_assert_msg(fit.result == cases[i].result, "%zu: %d", i, (int)fit.result);
	}
	/* queue says 1.995 and 3.96 for one unit: within the tolerance of none */
	fit = queue_fit(cases[0].points, 2, little);
	ck_assert_int_eq(fit.result, UNITS_NOT_VISIBLE);
}

/* Speed-ups of queue with one unit, one of them changed: rejected when the change is more than the
 * points' intervals and the tolerance allow, at the level of the chi-squared test. */
TEST(fits_that_explain_nothing_are_rejected)
{
	static const struct {
		int points;
		double half, change; /* of the second point, shares */
		int rejected;
	} cases[] = {
		{1, 0.02, 0.3, 0}, /* a single point always fits */
		{2, 0.02, 0, 0},     {2, 0.02, -0.3, 1},  {2, 0.3, -0.3, 0}, {4, 0.02, 0.03, 0},
		{4, 0.02, 0.3, 1},   {5, 0.05, 0.05, 0},  {5, 0.05, 0.3, 1}, {4, NAN, 0.1, 0},
		{4, 0.001, 0.03, 0}, {4, 0.001, 0.05, 1}, /* the tolerance alone */
	};
	struct speedup_point points[6];
	struct units_fit fit;
	double f = 0.55;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		queue_points(points, 6, f, 1, 0, NULL);
		for (int j = 0; j < 6; j++)
			points[j].half = cases[i].half * points[j].speedup;
		points[2].speedup *= 1 + cases[i].change;
		fit = queue_fit(points + 1, (size_t)cases[i].points, f);
		ck_assert_msg(fit.rejected == cases[i].rejected, "%zu: %d", i, fit.rejected);
	}
}

/* With exact models and errors of the assumed size, 1 fit of 20 is rejected, for even and odd
 * degrees of freedom: the errors are those of the points but one. */
TEST(one_fit_of_twenty_is_rejected)
{
	enum { ROUNDS = 4000 };

	for (size_t count = 2; count <= 6; count++) {
		uint64_t state = 30 + count;
		int rejected = 0;

		for (int round = 0; round < ROUNDS; round++) {
			struct speedup_point points[7];
			struct units_fit fit;
			double f = 0.5;

			queue_points(points, count + 1, f, 1.4, 0.02, &state);
			ck_assert_int_eq(fit_units(points, count + 1, queue_at, &f, 0, &fit), 0);
			rejected += fit.rejected;
		}
		ck_assert_double_eq_tol((double)rejected / ROUNDS, 0.05, 0.015);
	}
}

/* Left out in turn, points of the law itself are predicted; a point beside it is not. */
TEST(points_are_left_out_in_turn)
{
	struct speedup_point points[5];
	struct units_fit fit;
	double f = 0.55;

	queue_points(points, 5, f, 1.7, 0, NULL);
	fit = queue_fit(points, 5, f);
	ck_assert_double_eq_tol(fit.left_out, 0, 1e-6);
	points[3].speedup /= 1.2;
	fit = queue_fit(points, 5, f);
	ck_assert_int_eq(fit.left_out_threads, 8);
	ck_assert_double_eq_tol(fit.left_out, 0.2, 0.03);
	points[3].speedup *= 1.44;
	fit = queue_fit(points, 5, f);
	ck_assert_double_eq_tol(fit.left_out, -1 / 6.0, 0.03);
	fit = queue_fit(points, 2, f);
	ck_assert_double_nan(fit.left_out);
	/* if the others show no unit, none is assumed for the one left out */
	queue_points(points, 5, f, 32, 0, NULL);
	fit = queue_fit(points, 5, f);
	ck_assert_double_eq_tol(fit.left_out, 0, 1e-6);
}

static double law(double a, double b, double n)
{
	return n / (1 + a * (n - 1) + b * n * (n - 1));
}

TEST(law_is_recovered)
{
	for (double a = 0; a < 0.5; a += 0.1)
		for (double b = 0; b < 0.02; b += 0.005) {
			struct speedup_point points[6];
			struct usl_fit fit;

			for (int i = 0; i < 6; i++)
				points[i] = (struct speedup_point){1 << i, law(a, b, 1 << i), 0.01};
			ck_assert_int_eq(usl_fit(points, 6, &fit), 0);
			ck_assert_double_eq_tol(fit.a.value, a, 1e-6);
			ck_assert_double_eq_tol(fit.b.value, b, 1e-6);
			ck_assert(fit.a.low <= a + 1e-9 && a <= fit.a.high);
			ck_assert_int_eq(fit.points, 5);
			ck_assert_double_eq_tol(usl_speedup(&fit, 64).value / law(a, b, 64), 1,
						1e-3);
		}
	/* two points far apart, for which the first steps are far too long */
	const struct speedup_point far[] = {{5, law(0.012, 3e-4, 5), 0},
					    {40, law(0.012, 3e-4, 40), 0}};
	struct usl_fit fit;

	ck_assert_int_eq(usl_fit(far, 2, &fit), 0);
	ck_assert_double_le(fit.error, 1e-6);
}

TEST(law_fits_no_worse_than_a_scan)
{
	uint64_t state = 24;

	for (int round = 0; round < 20; round++) {
		struct speedup_point points[5];
		struct usl_fit fit;
		double best = INFINITY;

		for (int i = 0; i < 5; i++)
			points[i] = (struct speedup_point){
				1 << i, law(0.1, 0.01, 1 << i) * (0.7 + 0.6 * next_uniform(&state)),
				0};
		ck_assert_int_eq(usl_fit(points, 5, &fit), 0);
		for (double a = 0; a < 1; a += 0.005)
			for (double b = 0; b < 0.1; b += 0.001) {
				double error = 0;

				for (int i = 1; i < 5; i++)
					error += pow(points[i].speedup - law(a, b, 1 << i), 2) / 4;
				best = fmin(best, sqrt(error));
			}
		ck_assert_double_le(fit.error, best + 1e-9);
		ck_assert(fit.a.value >= 0 && fit.b.value >= 0);
	}
}

TEST(intervals_hold_the_law)
{
	enum { ROUNDS = 2000 };
	uint64_t state = 25;
	int held_a[2] = {0}, held_b[2] = {0}, held_speedup[2] = {0};

	for (int round = 0; round < 2 * ROUNDS; round++) {
		struct speedup_point points[5];
		struct usl_fit fit;
		struct interval ahead;
		int known = round % 2; /* the points' intervals are */

		for (int i = 0; i < 5; i++)
			points[i] = (struct speedup_point){
				i + 2, law(0.2, 0.05, i + 2) + 0.01 * next_normal(&state),
				known ? 0.0196 : 0};
		ck_assert_int_eq(usl_fit(points, 5, &fit), 0);
		ahead = usl_speedup(&fit, 8);
		held_a[known] += fit.a.low <= 0.2 && 0.2 <= fit.a.high;
		held_b[known] += fit.b.low <= 0.05 && 0.05 <= fit.b.high;
		held_speedup[known] +=
			ahead.low <= law(0.2, 0.05, 8) && law(0.2, 0.05, 8) <= ahead.high;
	}
	/* with known intervals the larger of both variances counts, so that a few more are held */
	for (int known = 0; known <= 1; known++) {
		ck_assert_double_eq_tol((double)held_a[known] / ROUNDS, 0.96, 0.03);
		ck_assert_double_eq_tol((double)held_b[known] / ROUNDS, 0.96, 0.03);
		ck_assert_double_eq_tol((double)held_speedup[known] / ROUNDS, 0.96, 0.03);
	}
}

/* Two points fix the law: each figure moves with either of them as it does when that is changed. */
TEST(intervals_of_the_law_by_differences)
{
	static const double step = 1e-4;
	const struct speedup_point points[] = {{2, 1.7, 0.05, 0}, {5, 2.9, 0.1, 0}};
	double squares[3] = {0};
	struct interval found[3];
	struct usl_fit fit;

	ck_assert_int_eq(usl_fit(points, 2, &fit), 0);
	found[0] = fit.a;
	found[1] = fit.b;
	found[2] = usl_speedup(&fit, 8);
	for (int i = 0; i < 2; i++) {
		double ends[2][3];

		for (int j = 0; j < 2; j++) {
			struct speedup_point moved[] = {points[0], points[1]};

			moved[i].speedup += j ? step : -step;
			ck_assert_int_eq(usl_fit(moved, 2, &fit), 0);
			ends[j][0] = fit.a.value;
			ends[j][1] = fit.b.value;
			ends[j][2] = usl_speedup(&fit, 8).value;
		}
		for (int k = 0; k < 3; k++)
			squares[k] +=
				pow((ends[1][k] - ends[0][k]) / (2 * step) * points[i].half, 2);
	}
	for (int k = 0; k < 3; k++) {
		ck_assert_double_eq_tol((found[k].high - found[k].value) / sqrt(squares[k]), 1,
					1e-3);
		ck_assert_double_eq_tol(fmax(found[k].value - sqrt(squares[k]), k < 2 ? 0 : -9) -
						found[k].low,
					0, 1e-3 * sqrt(squares[k]));
	}
}

TEST(law_at_its_limits)
{
	struct speedup_point better[] = {{2, 2.1, 0.1}, {4, 4.3, 0.1}, {8, 8.8, 0.1}};
	struct speedup_point exact[] = {{1, 1, 0}, {2, 1.6, 0}, {4, 2, 0}, {8, 0, 0}};
	struct speedup_point same[] = {{1, 1, 0}, {2, 1.6, 0}, {2, 1.7, 0}};
	struct usl_fit fit;

	ck_assert_int_eq(usl_fit(better, 3, &fit), 0);
	ck_assert_double_eq(fit.a.value, 0);
	ck_assert_double_eq(fit.b.value, 0);
	ck_assert_double_eq(fit.a.low, 0);
	ck_assert_int_eq(usl_fit(exact, 4, &fit), 0); /* no speed-up is none to fit */
	ck_assert_double_le(fit.error, 1e-7);
	ck_assert(isnan(fit.a.low) || fit.a.high - fit.a.low < 1e-3);
	ck_assert_double_eq_tol(usl_speedup(&fit, 1).value, 1, 1e-12);
	ck_assert_int_eq(usl_fit(exact + 1, 2, &fit),
			 0); /* two points, which vary as nobody knows */
	ck_assert(isnan(fit.a.low) && isnan(fit.a.high) && isnan(usl_speedup(&fit, 8).high));
	ck_assert_int_eq(usl_fit(same, 3, &fit), -1);
	ck_assert_int_eq(usl_fit(NULL, 0, &fit), -1);
}
