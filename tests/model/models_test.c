/* models_test.c: tests the closed-form models against brute force and by hand. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/models.h"
#include "tests/unit.h"

/* Throughput from the Markov chain itself: the balance equations of all n + 1 states, one replaced
 * by "the probabilities add up to 1", solved by Gauss elimination with pivots. */
static double chain_throughput(double f, int n, int m)
{
	enum { MAX = 65 };
	static long double a[MAX][MAX + 1];
	double sum = 0;
	int size = n + 1;

	memset(a, 0, sizeof a);
	for (int k = 0; k < size; k++) {
		long double join = (n - k) / (1 - (long double)f);
		long double leave = (k < m ? k : m) / (long double)f;

		a[k][k] -= join + leave;
		if (k < n)
			a[k + 1][k] += join;
		if (k > 0)
			a[k - 1][k] += leave;
	}
	for (int k = 0; k <= size; k++)
		a[size - 1][k < size ? k : size] = 1;
	for (int col = 0; col < size; col++) {
		int pivot = col;

		for (int row = col; row < size; row++)
			if (fabsl(a[row][col]) > fabsl(a[pivot][col]))
				pivot = row;
		for (int k = 0; k <= size; k++) {
			long double swap = a[col][k];

			a[col][k] = a[pivot][k];
			a[pivot][k] = swap;
		}
		for (int row = 0; row < size; row++) {
			long double factor = a[row][col] / a[col][col];

			for (int k = col; row != col && k <= size; k++)
				a[row][k] -= factor * a[col][k];
		}
	}
	for (int k = 0; k < size; k++)
		sum += (double)(a[k][size] / a[k][k] * (k < m ? k : m) / f);
	return sum;
}

TEST(queue_equals_markov_chain)
{
	for (int n = 1; n <= 64; n += n < 32 ? 1 : 32)
		for (int m = 1; m <= 5; m++)
			for (double f = 0.05; f < 1; f += 0.1)
				ck_assert_double_eq_tol(
					model_queue(f, n, m) / chain_throughput(f, n, m), 1, 1e-9);
}

/* One server, from its textbook recursion R(k) = f (1 + Q(k-1)), which is stable. */
TEST(queue_is_stable_to_1024_threads)
{
	for (double f = 0.01; f < 1; f += 0.07) {
		double queue = 0, throughput = 0;

		for (int n = 1; n <= 1024; n++) {
			double residence = f * (1 + queue);

			throughput = n / (1 - f + residence);
			queue = throughput * residence;
			ck_assert_double_eq_tol(model_queue(f, n, 1) / throughput, 1, 1e-9);
		}
		ck_assert_double_le(throughput, 1 / f * (1 + 1e-12));
	}
	for (int m = 1; m <= 1024; m *= 4)
		ck_assert_double_eq_tol(model_queue(1, 1024, m), m, 1e-9);
	ck_assert_double_eq(model_queue(0, 1024, 1), 1024);
	ck_assert_double_eq(model_queue(0.5, 1024, 1024), 1024);
	ck_assert_double_eq(model_queue(0.5, 7, INFINITY), 7);
	ck_assert_double_eq_tol(model_queue(1e-12, 1000, 1), 1000, 1e-6);
	/* mostly 5,000 are busy, which has e^5000 times the weight of 10,000 customers there */
	ck_assert_double_eq_tol(model_queue(0.5, 10000, 8000), 10000, 1e-6);
}

TEST(queue_between_whole_units)
{
	double low = model_queue(0.55, 8, 2), high = model_queue(0.55, 8, 3);

	ck_assert_double_eq_tol(model_queue(0.55, 8, 2.25), low + 0.25 * (high - low), 1e-12);
	/* half a unit: the same network with service doubled, in units of the plain one's work */
	ck_assert_double_eq_tol(model_queue(0.4, 1, 0.5), 1 / 1.4, 1e-12);
	ck_assert_double_eq_tol(model_queue(0.4, 2, 0.5), model_queue(0.8 / 1.4, 2, 1) / 1.4,
				1e-12);
	for (double m = 0.05; m < 9; m += 0.05)
		for (int n = 1; n <= 8; n++)
			ck_assert_double_ge(model_queue(0.55, n, m + 0.05) + 1e-12,
					    model_queue(0.55, n, m));
}

TEST(forms_by_hand)
{
	ck_assert_double_eq_tol(model_amdahl(0.35, 4, 1), 1.9512195121951220, 1e-12);
	ck_assert_double_eq_tol(model_amdahl(0.25, 4, 1), 2.2857142857142857, 1e-12);
	ck_assert_double_eq_tol(model_bound(0.55, 4, 1), 1.8181818181818182, 1e-12);
	ck_assert_double_eq(model_bound(0.2, 4, 1), 4);
	ck_assert_double_eq(model_bound(0, 4, 1), 4);
	ck_assert_double_eq_tol(model_bound(0.5, 8, 2), 4, 1e-12);
	ck_assert_double_eq_tol(model_forkjoin(0.5, 4, 2), 1 / (0.125 + 0.25), 1e-12);
	ck_assert_double_eq_tol(model_forkjoin(0.5, 3, 2), 1 / (0.5 / 3 + 0.5 * 2 / 3), 1e-12);
	ck_assert_double_eq_tol(model_forkjoin(0.5, 4, 3), model_forkjoin(0.5, 4, 2), 1e-12);
	ck_assert_double_eq_tol(model_forkjoin(0.5, 4, 3.5), (model_forkjoin(0.5, 4, 3) + 4) / 2,
				1e-12);
	ck_assert_double_eq_tol(model_forkjoin(0.5, 2, 0.5), 1 / (0.25 + 1), 1e-12);
	ck_assert_double_eq(model_forkjoin(0.5, 8, INFINITY), 8);
	ck_assert_double_eq_tol(model_forkjoin(0.35, 4, 1), model_amdahl(0.35, 4, 1), 1e-12);
	ck_assert_double_eq_tol(model_forkjoin(0.5, 2, 7), 2, 1e-12);
	ck_assert_double_eq_tol(model_inner(0.55, 4, 1), 1 / (0.45 + 0.1375), 1e-12);
	ck_assert_double_eq_tol(model_inner(1, 4, 1), 4, 1e-12);
}

TEST(order_of_the_models)
{
	for (int n = 1; n <= 64; n = n * 3 / 2 + 1)
		for (double m = 0.5; m <= 8; m += 0.5)
			for (double f = 0; f <= 1; f += 0.0625) {
				double queue = model_queue(f, n, m);

				ck_assert_double_le(queue, model_bound(f, n, m) * (1 + 1e-12));
				ck_assert_double_ge(queue * (1 + 1e-12), model_forkjoin(f, n, m));
				if (m >= 1)
					ck_assert_double_ge(queue * (1 + 1e-12),
							    model_amdahl(f, n, m));
			}
}

static const struct model_input plain = {.d = {0.5, NAN, NAN}, .spread = NAN};

TEST(pipelines_by_hand)
{
	static double stages[] = {4, 3, 2, 1, 100}, none[4]; /* the 100 do not count */
	const struct model *model = &models[MODEL_PIPELINE];
	struct model_input input = plain;

	input.d.value = 0.1;
	ck_assert(!model_is_known(model, &input));
	ck_assert_double_nan(model_value(model, &input, 4, 1));
	input.stages = stages;
	input.nstages = 1;
	ck_assert(!model_is_known(model, &input));
	input.nstages = 4;
	ck_assert_double_eq_tol(model_value(model, &input, 1, INFINITY), 1, 1e-12);
	ck_assert_double_eq_tol(model_value(model, &input, 2, INFINITY), 2, 1e-12);
	ck_assert_double_eq_tol(model_value(model, &input, 4, INFINITY), 2.5, 1e-12);
	ck_assert_double_eq_tol(model_value(model, &input, 9, INFINITY), 2.5, 1e-12);
	input.d.value = 0.5;
	ck_assert_double_eq_tol(model_value(model, &input, 4, 1), 2, 1e-12); /* m / f */
	input.stages = none;
	ck_assert_double_nan(model_value(model, &input, 4, 1));
}

TEST(a_model_for_each_way_to_meet)
{
	static struct replay_pair pairs[] = {{1, 1}};
	static double stages[] = {2, 1};
	static const char *const names[][2] = {
		[MEET_FREELY] = {"queue", "replay"},	[MEET_BARRIER] = {"forkjoin", "forkjoin"},
		[MEET_ONE_CALLER] = {"inner", "inner"}, [MEET_BOTH] = {NULL, NULL},
		[MEET_PIPELINE] = {NULL, "pipeline"},
	};

	for (int recorded = 0; recorded <= 1; recorded++)
		for (enum meeting meeting = MEET_FREELY; meeting <= MEET_PIPELINE; meeting++) {
			struct model_input input = plain;

			input.meeting = meeting;
			input.pairs = pairs;
			input.npairs = (size_t)recorded;
			input.stages = stages;
			input.nstages = recorded ? 2 : 0;
			const char *name = names[meeting][recorded];
			const struct model *chosen = model_chosen(&input);

			ck_assert_msg(name ? chosen && !strcmp(chosen->name, name) : !chosen,
				      "%d, %d: %s", (int)meeting, recorded,
				      chosen ? chosen->name : "none");
			/* drawn beside amdahl and, where callers queue, queue and replay */
			EACH_ROW(model, models, MODELS)
				ck_assert_int_eq(
					model_colour(model, &input) != 0,
					model == chosen || model == &models[MODEL_AMDAHL] ||
						(meeting != MEET_ONE_CALLER &&
						 (model == &models[MODEL_QUEUE] ||
						  (recorded && model == &models[MODEL_REPLAY]))));
		}
}

/* Half of the other code runs on BLAS's threads too: 0.6 / 2 of the time does not get shorter. */
TEST(inner_with_a_pool_of_both)
{
	struct model_input input = {.d = {0.4, 0.2, 0.5}, .other_parallel = 0.5};
	struct interval speedup = model_solve(&models[MODEL_INNER], &input, 4,
					      (struct interval){INFINITY, INFINITY, INFINITY});

	ck_assert_double_eq_tol(speedup.value, 1 / (0.3 + 0.7 / 4), 1e-12);
	ck_assert_double_eq_tol(speedup.low, 1 / (0.4 + 0.6 / 4), 1e-12);
	ck_assert_double_eq_tol(speedup.high, 1 / (0.25 + 0.75 / 4), 1e-12);
	/* the ends of a share beyond 0 and 1 are those */
	input.d = (struct interval){0.4, -3, 1.2};
	speedup = model_solve(&models[MODEL_INNER], &input, 4,
			      (struct interval){INFINITY, INFINITY, INFINITY});
	ck_assert_double_eq_tol(speedup.low, 1, 1e-12);
	ck_assert_double_eq_tol(speedup.high, 4, 1e-12);
	ck_assert(model_is_solved(&models[MODEL_INNER], &input));
	ck_assert(!model_is_solved(&models[MODEL_INNER], &plain));
}

/* Recorded calls and the calls of a step make forkjoin a simulation; without either it is the
 * closed form. Of 6 calls a step, 2 threads make 3 each, 8 threads one. */
TEST(forkjoin_takes_what_was_recorded)
{
	static struct replay_pair pairs[600];
	const struct model *model = &models[MODEL_FORKJOIN];
	struct model_input input = plain;
	uint64_t state = 1;

	for (size_t i = 0; i < 600; i++)
		pairs[i] = (struct replay_pair){(float)((state = state * 75 % 65537) % 1000), 500};
	input.calls_a_step = 6;
	ck_assert_double_eq(model_value(model, &input, 4, 2), model_forkjoin(0.5, 4, 2));
	input.pairs = pairs;
	input.npairs = 600;
	input.replayed = 10000;
	ck_assert_double_eq(model_value(model, &input, 2, 1),
			    replay_scaled(pairs, 600, 1, 3, 0, 2, 1, 10000));
	ck_assert_double_eq(model_value(model, &input, 8, 2),
			    replay_scaled(pairs, 600, 1, 1, 0, 8, 2, 10000));
	input.calls_a_step = 1e30; /* not more than there are */
	ck_assert_double_eq(model_value(model, &input, 2, 1),
			    replay_scaled(pairs, 600, 1, 600, 0, 2, 1, 10000));
	for (int i = 0; i < 2; i++) {
		input.calls_a_step = i ? NAN : 0;
		ck_assert_double_eq(model_value(model, &input, 4, 2), model_forkjoin(0.5, 4, 2));
	}
	/* threads that the replay has no room for */
	model = &models[MODEL_REPLAY];
	ck_assert_double_eq(model_value(model, &input, REPLAY_THREADS_MAX, INFINITY),
			    REPLAY_THREADS_MAX);
	ck_assert_double_nan(model_value(model, &input, REPLAY_THREADS_MAX + 1, INFINITY));
}

/* Replays at five values of f, and the line through them: a half width of it, and of how far the
 * replays are from it, together. */
TEST_EACH(replay_intervals_by_hand, 4)
{
	static struct replay_pair pairs[400];
	const struct model *model = &models[_i % 2 ? MODEL_FORKJOIN : MODEL_REPLAY];
	double half = _i < 2 ? 0.08 : 0.01, wide = fmax(half, 0.05), r[5], slope, mean, left = 0, f;
	struct model_input input = plain;
	struct interval result;
	uint64_t state = 1;

	for (size_t i = 0; i < 400; i++) {
		pairs[i].gap_ns = (float)((state = state * 75 % 65537) % 1000);
		pairs[i].service_ns = (float)((state = state * 75 % 65537) % 700);
	}
	f = replay_blas_share(pairs, 400);
	input.pairs = pairs;
	input.npairs = 400;
	input.replayed = 5000;
	input.calls_a_step = _i % 2 ? 8 : NAN;
	input.d.low = f - half;
	input.d.high = f + half;
	for (int i = 0; i < 5; i++) {
		double moved = f + (i - 2) / 2.0 * wide, odds = moved / (1 - moved);

		r[i] = replay_scaled(pairs, 400, i == 2 ? 1 : odds / (f / (1 - f)), _i % 2 ? 2 : 0,
				     0, 4, 2, 5000);
	}
	slope = (-r[0] - r[1] / 2 + r[3] / 2 + r[4]) / 2.5;
	mean = (r[0] + r[1] + r[2] + r[3] + r[4]) / 5;
	for (int i = 0; i < 5; i++)
		left += pow(r[i] - (mean + slope * (i - 2) / 2.0), 2);
	result = model_solve(model, &input, 4, (struct interval){2, NAN, NAN});
	ck_assert_double_eq(result.value, r[2]);
	half = hypot(slope * half / wide, 1.959963984540054 * sqrt(left / 3));
	ck_assert_double_gt(half, 0.001);
	ck_assert_double_eq_tol(result.low, r[2] - half, 1e-9);
	ck_assert_double_eq_tol(result.high, r[2] + half, 1e-9);
}

/* The parts of a prediction interval, alone and together, by the closed form. */
TEST(prediction_intervals_by_hand)
{
	const struct model *model = &models[MODEL_QUEUE];
	const double value = model_queue(0.5, 4, 2);
	const struct interval fixed = {2, NAN, NAN}, fitted = {2, 1.5, 3};
	struct model_input input = plain;
	struct interval result = model_solve(model, &input, 4, fixed);
	double below = value - model_queue(0.6, 4, 2), above = model_queue(0.4, 4, 2) - value;

	ck_assert_double_eq(result.value, value);
	ck_assert(isnan(result.low) && isnan(result.high));
	input.spread = 0.1;
	result = model_solve(model, &input, 4, fitted);
	ck_assert(isnan(result.low) && isnan(result.high));
	input.d.low = input.d.high = 0.5;
	result = model_solve(model, &input, 4, fixed);
	ck_assert_double_eq_tol(result.low, 0.9 * value, 1e-12);
	ck_assert_double_eq_tol(result.high, 1.1 * value, 1e-12);
	input.spread = NAN;
	result = model_solve(model, &input, 4, fitted);
	ck_assert_double_eq_tol(result.low, model_queue(0.5, 4, 1.5), 1e-12);
	ck_assert_double_eq_tol(result.high, model_queue(0.5, 4, 3), 1e-12);
	result = model_solve(model, &input, 4, (struct interval){2, 1.5, INFINITY});
	ck_assert_double_eq_tol(result.high, 4, 1e-12);
	input.d.low = 0.4;
	input.d.high = 0.6;
	input.spread = 0.1;
	result = model_solve(model, &input, 4, fixed);
	ck_assert_double_eq_tol(result.low, value - hypot(below, 0.1 * value), 1e-12);
	ck_assert_double_eq_tol(result.high, value + hypot(above, 0.1 * value), 1e-12);
	input.spread = 5;
	ck_assert_double_eq(model_solve(model, &input, 4, fixed).low, 0);
	/* over one thread */
	ck_assert_double_eq_tol(model_solve(model, &input, 1, fixed).value, 1, 1e-12);
	ck_assert(isnan(model_solve(model, &input, 1, fixed).low));
}

TEST(table_of_models)
{
	static const double bad[][3] = {{-0.1, 2, 1}, {1.1, 2, 1},   {0.5, 0, 1}, {0.5, 2, 0},
					{NAN, 2, 1},  {0.5, 2, NAN}, {0.5, 2, -1}};

	ck_assert_uint_eq(MODELS, 8);
	for (size_t i = 0; i < MODELS; i++) {
		ck_assert_str_ne(models[i].says, "");
		ck_assert(models[i].speedup || models[i].solve);
		ck_assert(!models[i].solve == !models[i].needs);
		for (double f = 0; models[i].speedup && f <= 1; f += 0.25)
			ck_assert_double_eq_tol(models[i].speedup(f, 1, 1), 1, 1e-12);
		for (size_t j = 0; models[i].speedup && j < sizeof bad / sizeof *bad; j++)
			ck_assert(isnan(models[i].speedup(bad[j][0], (int)bad[j][1], bad[j][2])));
	}
}
