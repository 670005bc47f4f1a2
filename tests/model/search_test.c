/* search_test.c: the search for the fastest setting, on made-up programs whose runs vary. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/search.h"
#include "numbers.h"
#include "tests/unit.h"

/* Two pools on 16 CPUs, how they wait, and whether threads are bound. */
static const int sizes[] = {1, 2, 4, 8, 16};
enum { OUTER, INNER, PASSIVE, BOUND, KNOBS };
static const struct search_knob knobs[KNOBS] = {
	{.count = 5, .usual = 4, .threads = sizes},
	{.count = 5, .usual = 4, .threads = sizes},
	{.count = 2, .is_for_threads = 1},
	{.count = 2, .is_for_threads = 1},
};

/* Amdahl's law for both pools; what more threads than CPUs cost; what the other two knobs give. */
struct program {
	double outer, inner; /* parallel shares */
	double excess_cost;  /* a thread too many costs so much of the time */
	double spin;	     /* likewise, while threads spin */
	double bound;	     /* factor */
};
static const struct program programs[] = {
	{0.95, 0.5, 0.05, 0.2, 1},     /* both parallel, spinning pools */
	{0.99, 0, 0, 0, 0.8},	       /* one pool, better bound */
	{0, 0.9, 0, 0.5, 1.2},	       /* BLAS alone is parallel */
	{0.2, 0.2, 1, 1, 1},	       /* best on one thread or two */
	{0.999, 0.999, 0.01, 0.01, 1}, /* any split will do */
	{0.9, 0.9, 0.001, 0, 0.97},    /* more threads than CPUs hardly matter */
};

static double seconds_of(const struct program *program, const unsigned char *values)
{
	double outer = sizes[values[OUTER]], inner = sizes[values[INNER]];
	double excess = fmax(outer * inner - 16, 0);
	double excess_cost =
		values[PASSIVE] ? program->excess_cost : program->excess_cost + program->spin;

	outer = fmin(outer, 16);
	inner = fmin(inner, fmax(16 / outer, 1));
	return (1 - program->outer + program->outer / outer) *
	       (1 - program->inner + program->inner / inner) * (1 + excess_cost * excess) *
	       (values[BOUND] ? program->bound : 1);
}

static double least_seconds(const struct program *program)
{
	double least = INFINITY;

	for (int i = 0; i < 100; i++)
		least = fmin(least,
			     seconds_of(program, (unsigned char[]){(unsigned char)(i % 5),
								   (unsigned char)(i / 5 % 5),
								   (unsigned char)(i / 25 % 2),
								   (unsigned char)(i / 50)}));
	return least;
}

static struct search search;
static unsigned char values[SEARCH_KNOBS_MAX]; /* what search_next() wants to try */

static void free_search(void)
{
	search_free(&search);
}

FIXTURE(NULL, free_search)

static void start(const struct search_knob *some, int count, int cpus)
{
	search_free(&search);
	search_start(&search, some, count, cpus);
}

/* Adds a run of so many seconds with these values. */
#define ADD(seconds, ...) search_add(&search, (unsigned char[]){__VA_ARGS__}, seconds)

/* Runs take longer by an exponential part. Returns how many there were. */
static int run_all(const struct program *program, double noise, uint64_t *state)
{
	int runs = 0;

	for (; search_next(&search, values); runs++)
		search_add(&search, values,
			   seconds_of(program, values) * (1 - noise * log(next_uniform(state))));
	return runs;
}

/* Within 5 % of the best of all 100 settings, in a third of the runs that three of each would be.
 */
TEST_EACH(nearly_the_fastest_is_found, COUNT(programs))
{
	uint64_t state = 1;

	for (int round = 0; round < 100; round++) {
		const struct search_setting *best;
		int runs;

		start(knobs, KNOBS, 16);
		ck_assert_double_eq(search_space(&search), 100);
		runs = run_all(&programs[_i], 0.005, &state);
		best = &search.settings[search_best(&search)];
		ck_assert_double_le(seconds_of(&programs[_i], best->values),
				    1.05 * least_seconds(&programs[_i]));
		ck_assert_int_le(runs, 100);
		ck_assert_int_ge(best->runs, SEARCH_RUNS_MIN);
		ck_assert_int_ge(search.settings[0].runs, SEARCH_RUNS_MIN);
	}
}

/* With runs that vary by 10 %, the choice costs 10 % at most on average. */
TEST_EACH(varying_runs_cost_little, COUNT(programs))
{
	uint64_t state = 2;
	double excess = 0;

	for (int round = 0; round < 100; round++) {
		start(knobs, KNOBS, 16);
		run_all(&programs[_i], 0.1, &state);
		excess += seconds_of(&programs[_i], search.settings[search_best(&search)].values) /
				  least_seconds(&programs[_i]) -
			  1;
	}
	ck_assert_double_le(excess / 100, 0.1);
}

/* Of two that are as good, the one that changes less. */
TEST(few_changes_are_better)
{
	static const struct search_knob two[] = {{.count = 2}, {.count = 3}};

	start(two, 2, 16);
	for (int run = 0; run < SEARCH_RUNS_MIN; run++) {
		ADD(2, 0, 0);
		ADD(1, 1, 1);
		ADD(1 + SEARCH_EQUAL, 1, 0);
		ADD(1.01, 0, 1);
		ADD(1.01, 0, 2);
	}
	ck_assert_uint_eq(search_best(&search), 3);
}

/* What is usual stays, unless it is slower by more than is enough. */
TEST_EACH(what_is_usual_stays, 3)
{
	static const struct search_knob one = {.count = 3};
	static const double others[] = {0.96, 1 - SEARCH_ENOUGH, 0.94};

	start(&one, 1, 16);
	for (int run = 0; run < SEARCH_RUNS_MIN; run++) {
		ADD(1, 0);
		ADD(others[_i], 1);
		ADD(others[_i], 2);
	}
	ck_assert_uint_eq(search_best(&search), _i == 2);
}

/* Where runs vary too much to tell settings apart, there are hardly more of them than settings:
 * three of the first and of the best are needed, and another may be the best then. */
TEST(runs_are_bounded)
{
	static const struct search_knob three[] = {{.count = 2}, {.count = 2}, {.count = 4}};
	uint64_t state = 3;
	int runs = 0;

	for (int round = 0; round < 100; round++) {
		start(three, 3, 2);
		for (; search_next(&search, values); runs++)
			search_add(&search, values, 1 + next_uniform(&state) / 2);
		ck_assert_int_ge(search.settings[search_best(&search)].runs,
				 search_best(&search) ? SEARCH_RUNS_MIN : 1);
	}
	ck_assert_int_le(runs, 19 * 100);
}

/* Starts a search on 2 CPUs, which tries these values in turn, with runs of so many seconds. */
static void expect_tried(const struct search_knob pool[2], const unsigned char tried[][2],
			 const double *seconds, int count)
{
	start(pool, 2, 2);
	for (int i = 0; i < count; i++) {
		ck_assert_int_eq(search_next(&search, values), 1);
		ck_assert_msg(!memcmp(values, tried[i], 2), "%d: %d %d", i, values[0], values[1]);
		search_add(&search, values, seconds[i]);
	}
}

/* More threads than CPUs are tried where the most that fit are the fastest, one size at a time, and
 * what is for threads only where there are some. */
TEST(sizes_beyond_the_cpus)
{
	static const int powers[] = {1, 2, 4, 8};
	static const struct search_knob pool[] = {{.count = 4, .threads = powers},
						  {.count = 2, .is_for_threads = 1}};
	static const unsigned char tried[][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {2, 1}};
	static const double seconds[] = {4, 2, 1, 3, 2};

	expect_tried(pool, tried, seconds, COUNT(tried));
	start(pool, 2, 2);
	search_add(&search, tried[0], 1);
	search_add(&search, tried[1], 2);
	ck_assert_int_eq(search_next(&search, values), 0);
}

/* After the sizes each other value alone: what is best for all threads may be bad for fewer. */
TEST(values_are_tried_alone)
{
	static const int powers[] = {1, 2, 4};
	static const struct search_knob pool[] = {{.count = 3, .usual = 2, .threads = powers},
						  {.count = 2, .is_for_threads = 1}};
	static const unsigned char tried[][2] = {{2, 0}, {0, 0}, {1, 0}, {2, 1}};
	static const double seconds[] = {9, 1, 2, 0.5};

	expect_tried(pool, tried, seconds, COUNT(tried));
	ck_assert_uint_eq(search_best(&search), 3);
}

/* Which is run again: of those that may be the fastest the one with the fewest runs, by what their
 * runs vary; 0 where they are told apart. Seconds and runs of each. */
static const struct {
	double seconds[5], spread;
	int runs[5], next; /* value + 1 */
} contenders[] = {
	{{2, 1, 1.5}, 0.01, {3, 3, 3}, 0}, /* far apart */
	{{2, 1, 1.08}, 0.2, {3, 3, 3}, 3}, /* as runs vary, the third may be the fastest */
	{{2, 1, 1.08}, 0.2, {3, 3, 2}, 3}, /* the fewest */
	/* 1.08 and 1 are two standard errors each apart at a spread of 0.03331: with 2 degrees of
	 * freedom for 0.03, and the 6 of the runs, these vary by 0.03434 */
	{{2, 1, 1.08}, 0.0345, {3, 3, 3}, 3},
	{{2, 1, 1.08}, 0.0342, {3, 3, 3}, 0},
	{{2, 1, 1.08}, 0.001, {3, 3, 3}, 0},
	{{2, 1, 1.04}, 0.2, {3, 3, 3}, 0}, /* it is no worse than enough */
	{{2, 1, 1.05}, 0.2, {3, 3, 3}, 3}, /* it is worse by just that much */
	{{2, 1, 1.04}, 0.2, {3, 3, 2}, 3},
	{{1.07, 1, 1.08}, 0.2, {3, 3, 3}, 1}, /* the first of those with as few runs */
	/* of five the first four may be, by the middle of their runs: 1.08 is the fourth, and then
	 * 1.0944 the fifth */
	{{1, 1.06, 1.07, 1.125, 1.09}, 0.08, {3, 3, 3, 2, 3}, 4},
	{{1, 1.06, 1.07, 1.08, 1.14}, 0.08, {3, 3, 3, 3, 2}, 2},
	/* 8 runs so far, and 3 to come: one more of the first, and two of a new best */
	{{2, 1, 1.7}, 0.2, {2, 5, 1}, 3},
};

TEST_EACH(the_next_contender, COUNT(contenders))
{
	/* what is for threads only is not tried, so that there were fewer runs than settings */
	static const int one_thread[] = {1, 1, 1, 1, 1};
	static struct search_knob two[] = {{.threads = one_thread},
					   {.count = 4, .is_for_threads = 1}};
	int more;

	two->count = contenders[_i].runs[3] ? 5 : 3;
	start(two, 2, 16);
	for (int value = 0; value < two->count; value++)
		for (int run = 0; run < contenders[_i].runs[value]; run++)
			search_add(&search, (unsigned char[]){(unsigned char)value, 0},
				   contenders[_i].seconds[value] *
					   (1 + (run - 1) * contenders[_i].spread));
	more = search_next(&search, values);
	ck_assert_msg(more * (values[0] + 1) == contenders[_i].next, "%d: %d", more, values[0]);
}

TEST(more_runs_than_are_kept)
{
	start(NULL, 0, 16);
	for (int run = 0; run <= SEARCH_RUNS_MAX; run++)
		ADD(1, 0);
	ck_assert_int_eq(search.settings[0].runs, SEARCH_RUNS_MAX);
}

/* Nothing to choose from: no interval is needed. */
TEST(no_knob_is_one_run)
{
	int runs = 0;

	start(NULL, 0, 16);
	for (; search_next(&search, values); runs++)
		search_add(&search, values, 1 + 0.01 * runs);
	ck_assert_int_eq(runs, 1);
	ck_assert_uint_eq(search_best(&search), 0);
}

/* A setting that fails is not run again, and not the best. */
TEST(failures_are_left_alone)
{
	static const int two[] = {1, 2};
	const struct search_knob pool = {.count = 2, .usual = 1, .threads = two};
	int runs = 0;

	start(&pool, 1, 2);
	for (; search_next(&search, values); runs++)
		search_add(&search, values, values[0] ? 1 : INFINITY);
	ck_assert_int_eq(runs, 2);
	ck_assert_uint_eq(search_best(&search), 0);
}
