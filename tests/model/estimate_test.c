/* estimate_test.c: f(1) from the fastest calls, against values worked out by hand. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdint.h>

#include "base/array.h"
#include "model/estimate.h"
#include "model/models.h"
#include "model/stats.h"
#include "numbers.h"
#include "tests/unit.h"

enum { BUCKETS = 50, CALLS = 20000, LIMIT_NS = 3000 };

/* Bucket i holds durations from 100 i to 100 (i + 1) ns. */
static double low_ns(int bucket)
{
	return 100.0 * bucket;
}

static struct call_times times_of(const uint64_t *histogram, double calls, double min_ns,
				  double max_ns, double total_ns)
{
	double fastest_ns = stats_histogram_quantile(histogram, BUCKETS, low_ns, min_ns, max_ns,
						     ESTIMATE_QUANTILE);
	struct call_times times = {0};

	call_times_add(&times, calls, total_ns, fastest_ns,
		       calls_waited(histogram, BUCKETS, low_ns, fastest_ns, LIMIT_NS));
	return times;
}

/* Half of the calls take 1 us and wait for nobody, the others wait besides. */
TEST(waiting_is_left_out)
{
	static const uint64_t histogram[BUCKETS] = {[10] = 50, [30] = 50};
	const struct call_times calls = times_of(histogram, 100, 1000, 3100, 205000);

	ck_assert_double_ge(calls.unhindered_ns, 100 * 1000);
	ck_assert_double_le(calls.unhindered_ns, 100 * 1100);
	ck_assert_double_eq_tol(estimate_f1(&calls, 102000), 0.5, 0.02);
}

TEST(shapes_add_up)
{
	struct call_times calls = {0};

	call_times_add(&calls, 10, 5000, 500, 0);	 /* exactly 500 ns each */
	call_times_add(&calls, 0, 0, (double)NAN, 0);	 /* never called */
	call_times_add(&calls, 4, 3000, (double)NAN, 0); /* without a histogram: as it was */
	call_times_add(&calls, 10, 1000, 550, 0);	 /* not more than it took */
	ck_assert_double_eq_tol(calls.unhindered_ns, 9000, 1e-9);
	ck_assert_double_eq_tol(estimate_f1(&calls, 1000), 0.9, 1e-12);
}

TEST(nothing_to_estimate_from)
{
	static const uint64_t histogram[BUCKETS] = {[5] = 10};
	const struct call_times none = {0}, calls = times_of(histogram, 10, 500, 500, 5000);

	ck_assert_double_nan(estimate_f1(&none, 1000));
	ck_assert_double_nan(estimate_f1(&calls, -1));
	ck_assert_double_nan(estimate_f1(&calls, (double)NAN));
	ck_assert_double_eq(estimate_f1(&calls, 0), 1);
}

static double exponential(uint64_t *random, double mean)
{
	return -mean * log(next_uniform(random));
}

/* Calls of one length, by one thread or by two that share a unit; gaps between them vary. Returns
 * the calls' times; *other_ns is the time of the gaps. */
static struct call_times simulate(int threads, double *other_ns)
{
	uint64_t histogram[BUCKETS] = {0};
	double arrival_ns[2] = {0, threads > 1 ? 1 : INFINITY}, free_ns = 0, total_ns = 0,
	       max_ns = 0;
	const double service_ns = 550, gap_ns = 450;
	uint64_t random = 7;

	*other_ns = 0;
	for (int i = 0; i < CALLS; i++) {
		int thread = arrival_ns[1] < arrival_ns[0];
		double gap = exponential(&random, gap_ns), took_ns;

		free_ns = fmax(free_ns, arrival_ns[thread]) + service_ns;
		took_ns = free_ns - arrival_ns[thread];
		histogram[(int)(took_ns / 100)]++;
		total_ns += took_ns;
		max_ns = fmax(max_ns, took_ns);
		*other_ns += gap;
		arrival_ns[thread] = free_ns + gap;
	}
	return times_of(histogram, CALLS, service_ns, max_ns, total_ns);
}

/* The estimate finds the f that the simulation was made with, though the threads' own share is far
 * higher; and the calls have the tail of a queue. */
TEST(queueing_threads)
{
	double other_ns;
	struct call_times alone = simulate(1, &other_ns), shape = simulate(2, &other_ns);

	ck_assert_double_gt(shape.total_ns / (shape.total_ns + other_ns), 0.62);
	ck_assert_double_eq_tol(estimate_f1(&shape, other_ns), 0.55, 0.02);
	ck_assert_int_eq((int)calls_tail(&alone, &shape, shape.total_ns / alone.total_ns),
			 TAIL_GROWS);
}

/* Only calls of 1.5 times the fastest to the fastest and the limit may have waited. */
TEST(waits_have_limits)
{
	static const uint64_t histogram[BUCKETS] = {
		[10] = 1000, [14] = 100, [15] = 10, [29] = 5, [30] = 7};

	ck_assert_double_eq(calls_waited(histogram, BUCKETS, low_ns, 1000, 1950),
			    10 * 550 + 5 * 1950);
	ck_assert_double_eq(calls_waited(histogram, BUCKETS, low_ns, 1000, 1949), 10 * 550);
	ck_assert_double_eq(calls_waited(histogram, BUCKETS, low_ns, 1000, 2050),
			    10 * 550 + 5 * 1950 + 7 * 2050);
	ck_assert_double_eq(calls_waited(histogram, 30, low_ns, 1000, 2050), 10 * 550 + 5 * 1950);
	/* a middle of 1.5 times the fastest is enough */
	ck_assert_double_eq(calls_waited(histogram, BUCKETS, low_ns, 1450 / WAIT_MIN, 500),
			    100 * (1450 - 1450 / WAIT_MIN));
	ck_assert_double_eq(calls_waited(histogram, BUCKETS, low_ns, (double)NAN, 5000), 0);
}

/* 100 calls: the fastest half in one bucket, the others in another; they took total_ns. */
static enum calls_tail tail_of(int fast, int slow, double total_ns, double growth)
{
	static const uint64_t alone[BUCKETS] = {[10] = 100};
	const struct call_times before = times_of(alone, 100, 1000, 1000, 100000);
	uint64_t beside[BUCKETS] = {0};
	struct call_times after;

	beside[fast] += 50;
	beside[slow] += 50;
	after = times_of(beside, 100, 100 * fast, 100 * slow + 99, total_ns);
	return calls_tail(&before, &after, growth);
}

TEST(a_queue_has_a_tail)
{
	const struct call_times none = {0};

	ck_assert_int_eq((int)tail_of(10, 20, 150000, 1.5), TAIL_GROWS);
	ck_assert_int_eq((int)tail_of(15, 15, 150000, 1.5), TAIL_ALL_ALIKE);
	ck_assert_int_eq((int)tail_of(12, 17, 150000, 1.5), TAIL_UNCLEAR);
	ck_assert_int_eq((int)tail_of(10, 10, 104000, 1.04), TAIL_UNCLEAR);
	ck_assert_int_eq((int)tail_of(10, 20, 104000, 1.04), TAIL_UNCLEAR);
	/* the calls are others, of twice the length for twice the work each */
	ck_assert_int_eq((int)tail_of(20, 40, 300000, 1.5), TAIL_GROWS);
	ck_assert_int_eq((int)tail_of(20, 20, 200000, 1.5), TAIL_ALL_ALIKE);
	ck_assert_int_eq((int)calls_tail(&none, &none, 2), TAIL_UNCLEAR);
	ck_assert_int_eq((int)tail_of(10, 20, 110000, TAIL_GROWTH_MIN), TAIL_GROWS);
	/* some calls are slower, but none long enough for a wait, or too long */
	ck_assert_int_eq((int)tail_of(10, 10, 110000, TAIL_GROWTH_MIN), TAIL_UNCLEAR);
	ck_assert_int_eq((int)tail_of(10, 14, 150000, 1.5), TAIL_UNCLEAR);
	ck_assert_int_eq((int)tail_of(10, 49, 150000, 1.5), TAIL_UNCLEAR);
	/* calls that take no time */
	ck_assert_int_eq((int)calls_tail(&(struct call_times){5000, 0, 0},
					 &(struct call_times){7500, 5000, 2500}, 1.5),
			 TAIL_UNCLEAR);
	ck_assert_int_eq((int)calls_tail(&(struct call_times){5000, 5000, 0},
					 &(struct call_times){7500, 0, 2500}, 1.5),
			 TAIL_UNCLEAR);
}

/* What calls of half a microsecond and more took, before and after, how many times as long those
 * for a unit of work take, and what they waited. */
static const struct {
	double before_ns, after_ns, growth, waited_before_ns, waited_after_ns;
	enum calls_tail tail;
} tails[] = {
	/* at least half of the growth is what calls waited longer than before */
	{10000, 15000, 1.5, 0, 2500, TAIL_GROWS},
	{10000, 15000, 1.5, 0, 2400, TAIL_UNCLEAR},
	{10000, 15000, 1.5, 1000, 4000, TAIL_GROWS},
	{10000, 15000, 1.5, 1000, 3400, TAIL_UNCLEAR},
	/* they waited for all that they took longer than the fastest */
	{10000, 10000, 1.5, 5000, 5000, TAIL_ALL_ALIKE},
	{10000, 15000, 1.5, 5000, 10000, TAIL_GROWS},
	{5000, 6000, 1.5, 0, 1000, TAIL_UNCLEAR},
	{5000, 10000, 4, 0, 5000, TAIL_UNCLEAR},
	{15000, 20000, 4, 10000, 15000, TAIL_UNCLEAR},
	{15000, 20500, 4, 10000, 15500, TAIL_UNCLEAR},
	{15000, 19500, 4, 10000, 14500, TAIL_ALL_ALIKE},
	{5000, 10500, 4, 0, 5500, TAIL_GROWS},
};

/* One shape of 10 calls, and then besides it another of 5 calls that are twice as long. */
TEST_EACH(tails_by_hand, COUNT(tails))
{
	struct call_times before[2] = {{0}, {0}}, after[2] = {{0}, {0}};

	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j <= i; j++) {
			double calls = j ? 5 : 10, fastest_ns = j ? 1000 : 500;

			call_times_add(&before[i], calls, tails[_i].before_ns, fastest_ns,
				       tails[_i].waited_before_ns);
			call_times_add(&after[i], calls, tails[_i].after_ns, fastest_ns,
				       tails[_i].waited_after_ns);
		}
	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < 2; j++)
			ck_assert_int_eq((int)calls_tail(&before[i], &after[j], tails[_i].growth),
					 tails[_i].tail);
}
