/* replay_test.c: tests the replay against a naive simulator, the closed forms and the clock. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/models.h"
#include "model/replay.h"
#include "numbers.h"
#include "tests/unit.h"

enum { MAX_THREADS = 16 };

/* Fills the sequence with mean times 1 - f and f (in us): exponential ones, or clockwork. */
static void fill_pairs(struct replay_pair *pairs, size_t count, double f, int variable,
		       uint64_t *state)
{
	for (size_t i = 0; i < count; i++) {
		double gap_us = 1 - f, service_us = f;

		if (variable) {
			gap_us *= -log(next_uniform(state));
			service_us *= -log(next_uniform(state));
		}
		pairs[i] = (struct replay_pair){(float)(1e3 * gap_us), (float)(1e3 * service_us)};
	}
}

/* Independent callers, whose other code takes as long as it was recorded. */
static double replay(const struct replay_pair *pairs, size_t count, int n, double m)
{
	return replay_scaled(pairs, count, 1, 0, 0, n, m, 0);
}

/* A thread of the naive simulator: what it does, and for how many ns more. */
struct naive_thread {
	enum { IN_GAP, QUEUED, IN_SERVICE } state;
	double left_ns;
	long ticket; /* its place in the queue */
	size_t next;
};

struct naive {
	const struct replay_pair *pairs;
	size_t count;
	int n, m, busy;
	struct naive_thread threads[MAX_THREADS];
	long tickets, served;
	double now_ns, work_ns;
};

/* Lets those who queue begin, in order of their tickets, while units are free. */
static void naive_begin(struct naive *sim)
{
	for (int i = 0; i < sim->n && sim->busy < sim->m; i++) {
		struct naive_thread *thread = &sim->threads[i];

		if (thread->state != QUEUED || thread->ticket != sim->served)
			continue;
		thread->state = IN_SERVICE;
		thread->left_ns = (double)sim->pairs[thread->next].service_ns;
		sim->served++;
		sim->busy++;
		i = -1;
	}
}

/* The thread that finishes something first; of equals a service first, then the lower number. */
static struct naive_thread *naive_first(struct naive *sim)
{
	struct naive_thread *first = NULL;

	for (int i = 0; i < sim->n; i++) {
		struct naive_thread *thread = &sim->threads[i];

		if (thread->state == QUEUED)
			continue;
		if (!first || thread->left_ns < first->left_ns ||
		    (thread->left_ns == first->left_ns && first->state == IN_GAP &&
		     thread->state == IN_SERVICE))
			first = thread;
	}
	return first;
}

/* Runs until the arrival with this number, which then is still to be queued. */
static void naive_run(struct naive *sim, long arrival)
{
	for (;;) {
		struct naive_thread *first = naive_first(sim);
		double step_ns = first->left_ns;

		for (int i = 0; i < sim->n; i++) {
			if (sim->threads[i].state == QUEUED)
				continue;
			sim->threads[i].left_ns -= step_ns;
			sim->work_ns += step_ns;
		}
		sim->now_ns += step_ns;
		if (first->state == IN_SERVICE) {
			sim->busy--;
			first->next = (first->next + 1) % sim->count;
			first->state = IN_GAP;
			first->left_ns = (double)sim->pairs[first->next].gap_ns;
		} else if (sim->tickets == arrival) {
			return;
		} else {
			first->state = QUEUED;
			first->ticket = sim->tickets++;
		}
		naive_begin(sim);
	}
}

/* What replay_scaled() measures, by stepping through every event with all threads looked at. */
static double naive_speedup(const struct replay_pair *pairs, size_t count, int n, int m)
{
	long calls = (long)count * n, most = calls / n / 512;
	int rounds = (int)(most > 16 ? 16 : most < 1 ? 1 : most);
	double work_ns = 0, ns = 0;

	calls /= rounds;
	for (int round = 0; round < rounds; round++) {
		struct naive sim = {.pairs = pairs, .count = count, .n = n, .m = m};

		for (int i = 0; i < n; i++) {
			double start = (double)round / rounds + (double)i / n +
				       (double)round * i * (sqrt(5) - 1) / 2;

			sim.threads[i].next = (size_t)(fmod(start, 1) * (double)count);
			sim.threads[i].left_ns = (double)pairs[sim.threads[i].next].gap_ns;
		}
		naive_run(&sim, calls / 10);
		ns -= sim.now_ns;
		work_ns -= sim.work_ns;
		naive_run(&sim, calls / 10 + calls);
		ns += sim.now_ns;
		work_ns += sim.work_ns;
	}
	return work_ns / ns;
}

/* Times at random, of three f; or whole numbers, so that many threads arrive at the same moment. */
TEST(replay_equals_naive_simulator)
{
	enum { COUNT = 4096 }; /* the fewest that are not repeated */
	static struct replay_pair pairs[COUNT];
	uint64_t state = 3;

	for (int n = 1; n <= MAX_THREADS; n = n * 2 + (n == 2))
		for (int m = 1; m <= n && m <= 3; m++)
			for (double f = 0.2; f < 1.2; f += 0.3) {
				fill_pairs(pairs, COUNT, fmin(f, 0.8), 1, &state);
				for (int i = 0; f > 1 && i < COUNT; i++)
					pairs[i] = (struct replay_pair){
						(float)(1 + next_random(&state) % 6),
						(float)(1 + next_random(&state) % 3)};
				ck_assert_double_eq_tol(replay(pairs, COUNT, n, m) /
								naive_speedup(pairs, COUNT, n, m),
							1, 1e-9);
			}
}

TEST(exponential_times_give_the_queue)
{
	enum { COUNT = 100000 };
	static struct replay_pair pairs[COUNT];
	uint64_t state = 4;

	for (double f = 0.2; f < 1; f += 0.3) {
		double share;

		fill_pairs(pairs, COUNT, f, 1, &state);
		share = replay_blas_share(pairs, COUNT);
		ck_assert_double_eq_tol(share, f, 0.01);
		for (int n = 2; n <= 8; n *= 2)
			for (double m = 0.5; m < 3; m += 0.75)
				ck_assert_double_eq_tol(
					replay_scaled(pairs, COUNT, 1, 0, 0, n, m, 400000) /
						model_queue(share, n, m),
					1, 0.015);
	}
}

TEST(clockwork_times_give_the_bound)
{
	for (size_t count = 1; count <= 1000; count *= 10)
		for (double f = 0.05; f <= 1; f += 0.15)
			for (int n = 1; n <= 16; n *= 2)
				for (double m = 0.5; m <= 4; m *= 2) {
					struct replay_pair pairs[1000];

					fill_pairs(pairs, count, f, 0, NULL);
					ck_assert_double_eq_tol(
						replay(pairs, count, n, m) /
							fmin(model_bound(f, n, m),
							     n / fmax(1, 1 - f + f / m)),
						1, 2e-3);
				}
}

/* Steps of the same 75 calls, each time a little other: as many steps as divide evenly among the
 * threads, and others. */
TEST(repeated_steps_give_the_same_wherever_the_sequence_ends)
{
	enum { CALLS = 75, STEPS = 150 };
	static struct replay_pair step[CALLS], pairs[CALLS * STEPS];
	double least = INFINITY, most = 0;
	uint64_t state = 9;

	fill_pairs(step, CALLS, 0.6, 1, &state);
	for (size_t i = 0; i < CALLS * STEPS; i++) {
		pairs[i].gap_ns = step[i % CALLS].gap_ns * (float)(1 + next_uniform(&state) / 200);
		pairs[i].service_ns =
			step[i % CALLS].service_ns * (float)(1 + next_uniform(&state) / 200);
	}
	for (size_t cut = 0; cut < 2 * CALLS; cut += 5) {
		double speedup = replay(pairs, CALLS * STEPS - cut, 2, 1);

		least = fmin(least, speedup);
		most = fmax(most, speedup);
	}
	printf("replay of repeated steps: %.4f to %.4f\n", least, most);
	ck_assert_double_le(most / least, 1.01);
}

TEST(odd_arguments)
{
	struct replay_pair none[] = {{0, 0}}, gaps[] = {{5, 0}, {7, 0}}, calls[] = {{0, 5}};

	ck_assert(isnan(replay(none, 1, 2, 1)));
	ck_assert(isnan(replay(NULL, 0, 2, 1)));
	ck_assert(isnan(replay(calls, 1, 0, 1)));
	ck_assert(isnan(replay(calls, 1, 2, 0)));
	ck_assert(isnan(replay(calls, 1, 2, NAN)));
	ck_assert(isnan(replay(calls, 1, 2, -0.5)));
	ck_assert(isnan(replay_blas_share(none, 1)));
	ck_assert_double_eq(replay(calls, 1, 3, INFINITY), 3);
	ck_assert_double_eq_tol(replay(gaps, 2, 4, 1), 4, 1e-9);
	ck_assert_double_eq_tol(replay(calls, 1, 4, 1), 1, 1e-9);
	ck_assert_double_eq_tol(replay(calls, 1, 4, 1.5), 1.5, 1e-9);
	ck_assert_double_eq_tol(replay(calls, 1, 1, 0.5), 0.5, 1e-9);
}

/* Of three calls in turn, two at once: a step lasts as long as the longer one. */
TEST(steps_go_on_where_the_last_ended)
{
	const struct replay_pair pairs[] = {{1, 1.1F}, {10, 1.1F}, {100, 1.1F}};

	ck_assert_double_eq_tol(replay_scaled(pairs, 3, 1, 1, 0, 2, 2, 0),
				2 * 114.3 / (11.1 + 101.1 + 101.1), 1e-3);
	ck_assert_double_eq(replay(pairs, 3, 2, 2), 2);
	/* one whole step at least */
	ck_assert_double_eq_tol(replay_scaled(pairs, 3, 1, 3, 0, 2, 2, 1), 2, 1e-6);
}

TEST(many_threads_give_the_queue)
{
	enum { COUNT = 100000 };
	static struct replay_pair pairs[COUNT];
	uint64_t state = 7;

	fill_pairs(pairs, COUNT, 0.05, 1, &state);
	ck_assert_double_eq_tol(replay(pairs, COUNT, 64, 2) /
					model_queue(replay_blas_share(pairs, COUNT), 64, 2),
				1, 0.01);
}

static double steps_speedup(const struct replay_pair *pairs, size_t count, size_t step, int n,
			    double m)
{
	return replay_scaled(pairs, count, 1, step, 0, n, m, 100000);
}

/* Clockwork calls, one of each thread between barriers: the closed form, ceil(n / m) rounds. */
TEST(steps_of_clockwork_are_forkjoin)
{
	for (double f = 0.1; f < 1; f += 0.2) {
		const struct replay_pair pair = {(float)(1000 * (1 - f)), (float)(1000 * f)};

		for (int n = 1; n <= 16; n++)
			for (int m = 1; m <= 5; m++)
				ck_assert_double_eq_tol(steps_speedup(&pair, 1, 1, n, m) /
								model_forkjoin(f, n, m),
							1, 1e-5);
	}
}

/* Without BLAS to speak of: a step lasts as long as its slowest thread, by hand. */
TEST(the_slowest_thread_decides)
{
	const struct replay_pair uneven[] = {{1000, 0}, {3000, 0}},
				 four[] = {{1000, 0}, {3000, 0}, {2000, 0}, {0, 0}};

	ck_assert_double_eq_tol(steps_speedup(uneven, 2, 1, 2, 9), 4.0 / 3, 1e-6);
	ck_assert_double_eq_tol(steps_speedup(four, 4, 2, 2, 9), 6.0 / 4, 1e-6);
	ck_assert_double_eq_tol(steps_speedup(four, 4, 1, 4, 9), 6.0 / 3, 1e-6);
	/* of 6000 ns each, the thread that is slower in a step differs */
	ck_assert_double_eq_tol(steps_speedup(four, 4, 4, 2, 9), 2, 1e-6);
}

/* Threads that split each call are at the same call: however much calls differ, no thread is slower
 * than another, and m units take ceil(n / m) rounds of the step's call, by hand. */
TEST(split_calls_meet_at_the_same_call)
{
	const struct replay_pair pairs[] = {{1000, 3000}, {500, 0}, {0, 200}, {4000, 1000}};

	for (size_t step = 1; step <= 4; step++)
		ck_assert_double_eq_tol(replay_scaled(pairs, 4, 1, step, 1, 8, 8, 100000), 8, 1e-6);
	ck_assert_double_eq_tol(replay_scaled(pairs, 4, 1, 1, 1, 4, 2, 100000),
				4 * 9700.0 / (5500 + 2 * 4200), 1e-3);
	ck_assert_double_eq_tol(replay_scaled(pairs, 4, 2, 1, 1, 4, 4, 100000), 4, 1e-6);
	/* shared out instead, a step takes as long as the thread with the long call */
	ck_assert_double_lt(steps_speedup(pairs, 4, 1, 4, 4), 2);
}

/* Many calls between barriers: as without barriers. */
TEST(rare_barriers_cost_nothing)
{
	static struct replay_pair pairs[20000];
	uint64_t state = 41;

	fill_pairs(pairs, 20000, 0.5, 1, &state);
	ck_assert_double_eq_tol(steps_speedup(pairs, 20000, 5000, 4, 1) /
					replay_scaled(pairs, 20000, 1, 0, 0, 4, 1, 100000),
				1, 0.03);
	ck_assert_double_lt(steps_speedup(pairs, 20000, 1, 4, 1),
			    0.9 * replay_scaled(pairs, 20000, 1, 0, 0, 4, 1, 100000));
}

/* Too few calls, or too little time, at one end are no phase: they are replayed with the rest. */
TEST(short_ends_are_no_phases)
{
	enum { CALLS = 5000 };
	static const struct {
		size_t at;	     /* where f changes */
		float first, second; /* each part's times, as factors */
	} rows[] = {{500, 1, 1}, {4500, 1, 1}, {1500, 0.04F, 1}, {3500, 1, 0.04F}};
	static struct replay_pair pairs[CALLS];
	uint64_t state = 43;

	EACH_ROW(row, rows, COUNT(rows)) {
		fill_pairs(pairs, row->at, 0.9, 1, &state);
		fill_pairs(pairs + row->at, CALLS - row->at, 0.1, 1, &state);
		for (size_t i = 0; i < CALLS; i++) {
			pairs[i].gap_ns *= i < row->at ? row->first : row->second;
			pairs[i].service_ns *= i < row->at ? row->first : row->second;
		}
		ck_assert_double_eq_tol(
			replay(pairs, CALLS, 4, 1) / naive_speedup(pairs, CALLS, 4, 1), 1, 1e-9);
	}
}

/* The fewest calls that are a phase, the first or the last, in 1/16 of the time, with an f that
 * differs by just 0.1: what the two phases give by themselves. */
TEST_EACH(the_least_that_is_a_phase, 2)
{
	enum { LEAST = 1024, CALLS = 16 * LEAST };
	static struct replay_pair pairs[CALLS];
	int at = _i ? CALLS - LEAST : LEAST;
	double first, last;

	for (int i = 0; i < CALLS; i++)
		pairs[i] = (i < at) != _i ? (struct replay_pair){900, 100}
					  : (struct replay_pair){1000, 0};
	first = replay_scaled(pairs, (size_t)at, 1, 0, 0, 16, 1, (size_t)at * 16);
	last = replay_scaled(pairs + at, (size_t)(CALLS - at), 1, 0, 0, 16, 1,
			     (size_t)(CALLS - at) * 16);
	ck_assert_double_eq_tol(fmin(first, last), 10, 0.1);
	ck_assert_double_eq_tol(replay_scaled(pairs, CALLS, 1, 0, 0, 16, 1, CALLS * 16),
				CALLS / (at / first + (CALLS - at) / last), 1e-9);
}

/* A half with f = 0.9 and a half with 0.1, all threads in the same one: what each gives by itself,
 * and not what their mean would give. */
TEST(phases_are_replayed_as_phases)
{
	static struct replay_pair pairs[20000];
	uint64_t state = 42;
	double parts[2], whole;

	fill_pairs(pairs, 10000, 0.9, 1, &state);
	fill_pairs(pairs + 10000, 10000, 0.1, 1, &state);
	for (int i = 0; i < 2; i++)
		parts[i] = replay_scaled(pairs + 10000 * i, 10000, 1, 0, 0, 8, 1, 100000);
	whole = replay_scaled(pairs, 20000, 1, 0, 0, 8, 1, 200000);
	ck_assert_double_eq_tol(whole / (2 / (1 / parts[0] + 1 / parts[1])), 1, 0.01);
	ck_assert_double_eq_tol(
		whole / (2 / (1 / model_queue(0.9, 8, 1) + 1 / model_queue(0.1, 8, 1))), 1, 0.05);
	/* four phases, of which the second and the fourth are alike */
	for (int i = 0; i < 4; i++)
		fill_pairs(pairs + 5000 * i, 5000, i % 2 ? 0.9 : 0.1, 1, &state);
	ck_assert_double_eq_tol(replay_scaled(pairs, 20000, 1, 0, 0, 8, 1, 200000) / whole, 1,
				0.03);
	/* what changes from call to call is no phase */
	for (int i = 0; i < 20000; i += 10)
		fill_pairs(pairs + i, 10, i % 20 ? 0.9 : 0.1, 1, &state);
	ck_assert_double_gt(replay_scaled(pairs, 20000, 1, 0, 0, 8, 1, 200000), 1.04 * whole);
}
