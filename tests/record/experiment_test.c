/* experiment_test.c: the thread count of a run for which none was asked, from its command and from
 * how long its threads worked. */
/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "record/record.h"
#include "tests/unit.h"

/* Three threads were awake at once, of which the first worked for this part of the time, and the
 * others for `each` of it. */
static const struct {
	const char *argv[4];
	double first, each;
	int threads;
} counts[] = {
	/* a main thread that works a little beside a pool of two */
	{{"./pool", "2"}, 0.16, 0.82, 2},
	{{"./pool", "2"}, 0.9, 0.9, 3},
	{{"./pool", "1"}, 0.16, 0.82, 3},
	/* the value of another option */
	{{"./pool", "-x", "2"}, 0.16, 0.82, 3},
	{{"./pool", "-t", "2"}, 0.16, 0.82, 2},
	/* an option is believed further */
	{{"./pool", "-t", "1"}, 0.2, 0.6, 1},
	{{"./pool", "1"}, 0.2, 0.6, 3},
};

TEST_EACH(thread_count_of_command, COUNT(counts))
{
	enum { NS = 1000 };
	struct run_thread threads[3] = {{0}};
	struct run run = {.roi_ns = NS, .threads_awake = 3, .threads = threads, .nthreads = 3};

	for (int i = 0; i < 3; i++) {
		double part = i ? counts[_i].each : counts[_i].first;

		threads[i].tid = i + 1;
		threads[i].process = -1;
		threads[i].end_ns = NS;
		threads[i].samples_other = 100;
		threads[i].times.ns[CAT_OTHER] = (int64_t)(part * NS);
		threads[i].times.ns[CAT_WAITING] = NS - threads[i].times.ns[CAT_OTHER];
	}
	ck_assert_int_eq(experiment_threads((char *const *)counts[_i].argv, &run),
			 counts[_i].threads);
}
