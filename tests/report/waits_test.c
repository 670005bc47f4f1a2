/* waits_test.c: waits by place, their imbalance, and what they cost in speed-up. */
/* SPDX-License-Identifier: MIT */
#include "described_run.h"
#include "fixture.h"
#include "tests/unit.h"

static struct run runs[2];

#define BARRIER "+waits kind=barrier function=pthread_barrier_wait "
#define MUTEX	"+waits kind=mutex function=pthread_mutex_lock "

/* Builds the report of a run of one thread without a wait, and of two threads that wait for 20 % of
 * their time. */
static void build(const char *changes)
{
	describe_run(&runs[0], "1 1 .5 .5");
	describe_run(&runs[1], "2 .5 .5 .3");
	change_run(&runs[1], "%s", changes);
	fixture_report(runs, 2);
}

/* Only one caller waits for the mutex, and a thread that makes no call for the condition. */
TEST(test_places)
{
	build(BARRIER "total_ns=10% longest_ns=2%;" BARRIER "total_ns=4% tid=101;" BARRIER
		      "total_ns=1% tid=101;" MUTEX "total_ns=6%;"
		      "+waits kind=condition tid=999 total_ns=90%");
	expect_rows("waits", "kind role total_ns uneven_ns share waits longest_ns waiting_threads",
		    "barrier caller 7.5e+07 2.5e+07 0.075 30 1e+07 2\n"
		    "mutex caller 3e+07 3e+07 0.03 10 0 1\n"
		    "condition other 4.5e+08 0 - 10 0 1\n");
}

TEST(test_losses)
{
	double sum = 0;

	build(BARRIER "total_ns=10%;" MUTEX "total_ns=5% tid=101; +waits kind='run queue' "
		      "function=schedule tid=101 total_ns=50%;"
		      "+waits kind=unknown function=syscall tid=101 "
		      "total_ns=50%;"
		      "+waits kind=sleep function='' tid=101 total_ns=50%;"
		      "+waits kind=barrier function=exec_blas tid=101 "
		      "total_ns=50% in_blas=1;"
		      "+waits kind=condition tid=999 total_ns=90%");
	for (size_t i = 0; i < report.nlosses; i++)
		sum += report.losses[i].lost;
	ck_assert_double_eq_tol(sum, 2 - report.rows[1].speedup, 1e-6);
	ck_assert_double_eq_tol(lost_to("barrier: pthread_barrier_wait, called by step"), 0.1,
				1e-3);
	ck_assert_double_eq_tol(lost_to("mutex: pthread_mutex_lock, called by step"), 0.05, 1e-3);
	ck_assert_double_eq_tol(lost_to("blocked elsewhere"), 0.25, 1e-3);
}

/* The sampler's clock saw more than was blocked by the other clock: the parts add up nevertheless.
 * The first thread starts late, which is an additional loss. */
TEST(test_waits_over_the_blocked_time)
{
	build(BARRIER "total_ns=60%;" MUTEX "total_ns=20% tid=101;"
		      "threads[0] start_ns=10% waiting_ns-=10%");
	ck_assert_double_eq_tol(lost_to("barrier: pthread_barrier_wait, called by step"), 0.225,
				1e-3);
	ck_assert_double_eq_tol(lost_to("mutex: pthread_mutex_lock, called by step"), 0.075, 1e-3);
	ck_assert_double_eq_tol(lost_to("threads not yet started"), 0.1, 1e-3);
}

/* One place in two regions becomes two rows, each with its own imbalance. */
TEST(test_regions)
{
	build(BARRIER "total_ns=10% region=late;" BARRIER "total_ns=4% tid=101 region=late;" BARRIER
		      "total_ns=3%");
	expect_rows("waits", "region total_ns uneven_ns",
		    "late 7e+07 3e+07\n"
		    " 1.5e+07 1.5e+07\n");
	expect_text("pthread_barrier_wait  train.c:120  late\n");
	expect_text("pthread_barrier_wait  train.c:120  -\n");
}

TEST(test_text)
{
	build(BARRIER "total_ns=10% longest_ns=2% in_blas=1;" BARRIER
		      "total_ns=4% tid=101 in_blas=1");
	expect_text("What the callers waited on at 2 threads: 1 of 1");
	expect_text("barrier (BLAS)  pthread_barrier_wait  train.c:120");
	expect_text("30.0 ms");
}
