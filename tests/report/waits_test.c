/* waits_test.c: waits by place, their imbalance, and what they cost in speed-up. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/string_pool.h"
#include "fixture.h"
#include "tests/unit.h"

static struct run runs[2];

static void add_wait(struct run *run, int64_t tid, const char *kind, const char *function,
		     double share)
{
	struct run_wait *wait = fixture_wait(run, tid, kind, share);

	wait->function = string_pooled(function);
}

static const struct report_wait *find_wait(int threads, const char *kind)
{
	for (size_t i = 0; i < report.nwaits; i++)
		if (report.waits[i].threads == threads && !strcmp(report.waits[i].sum.kind, kind))
			return &report.waits[i];
	ck_abort_msg("no %s at %d threads", kind, threads);
}

/* One thread without a wait, and two threads that wait for 20 % of their time. */
static void make_runs(void)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND / 2, 0.5, 0.3);
}

TEST(test_places)
{
	const struct report_wait *wait;

	make_runs();
	add_wait(&runs[1], 100, "barrier", "pthread_barrier_wait", 0.10);
	add_wait(&runs[1], 101, "barrier", "pthread_barrier_wait", 0.04);
	add_wait(&runs[1], 101, "barrier", "pthread_barrier_wait", 0.01);
	add_wait(&runs[1], 100, "mutex", "pthread_mutex_lock", 0.06);
	add_wait(&runs[1], 999, "condition", "pthread_cond_wait", 0.9);
	fixture_report(runs, 2);
	ck_assert_uint_eq(report.nwaits, 3);
	wait = find_wait(2, "barrier");
	ck_assert_double_eq_tol((double)wait->sum.total_ns, 0.15 * (double)SECOND / 2, 1);
	ck_assert_double_eq_tol(wait->uneven_ns, 0.05 * (double)SECOND / 2, 1);
	ck_assert_double_eq_tol(wait->share, 0.075, 1e-9);
	ck_assert_double_eq_tol((double)wait->sum.waits, 30, 1e-9);
	ck_assert_double_eq_tol((double)wait->sum.longest_ns, 0.02 * (double)SECOND / 2, 1);
	ck_assert_int_eq(wait->waiting_threads, 2);
	/* the other caller never waited for the mutex */
	wait = find_wait(2, "mutex");
	ck_assert_double_eq_tol(wait->uneven_ns, (double)wait->sum.total_ns, 1);
	/* a thread that makes no call */
	wait = find_wait(2, "condition");
	ck_assert_str_eq(wait->role, "other");
	ck_assert(isnan(wait->share));
}

TEST(test_losses)
{
	double sum = 0;

	make_runs();
	add_wait(&runs[1], 100, "barrier", "pthread_barrier_wait", 0.10);
	add_wait(&runs[1], 101, "mutex", "pthread_mutex_lock", 0.05);
	add_wait(&runs[1], 101, "run queue", "schedule", 0.5);
	add_wait(&runs[1], 101, "unknown", "syscall", 0.5);
	add_wait(&runs[1], 101, "sleep", "", 0.5);
	add_wait(&runs[1], 101, "barrier", "exec_blas", 0.5);
	runs[1].waits[runs[1].nwaits - 1].in_blas = 1;
	add_wait(&runs[1], 999, "condition", "pthread_cond_wait", 0.9);
	fixture_report(runs, 2);
	for (size_t i = 0; i < report.nlosses; i++)
		sum += report.losses[i].lost;
	ck_assert_double_eq_tol(sum, 2 - report.rows[1].speedup, 1e-6);
	ck_assert_double_eq_tol(lost_to("barrier: pthread_barrier_wait, called by step"), 0.1,
				1e-3);
	ck_assert_double_eq_tol(lost_to("mutex: pthread_mutex_lock, called by step"), 0.05, 1e-3);
	ck_assert_double_eq_tol(lost_to("blocked elsewhere"), 0.25, 1e-3);
}

/* The sampler's clock saw more than was blocked by the other clock: the parts add up nevertheless.
 */
TEST(test_waits_over_the_blocked_time)
{
	make_runs();
	add_wait(&runs[1], 100, "barrier", "pthread_barrier_wait", 0.6);
	add_wait(&runs[1], 101, "mutex", "pthread_mutex_lock", 0.2);
	runs[1].threads[0].start_ns = SECOND / 20; /* which is an additional loss */
	runs[1].threads[0].times.ns[CAT_WAITING] -= SECOND / 20;
	fixture_report(runs, 2);
	ck_assert_double_eq_tol(lost_to("barrier: pthread_barrier_wait, called by step"), 0.225,
				1e-3);
	ck_assert_double_eq_tol(lost_to("mutex: pthread_mutex_lock, called by step"), 0.075, 1e-3);
	ck_assert_double_eq_tol(lost_to("threads not yet started"), 0.1, 1e-3);
}

/* One place in two regions becomes two rows, each with its own imbalance. */
TEST(test_regions)
{
	const struct report_wait *late;

	make_runs();
	add_wait(&runs[1], 100, "barrier", "pthread_barrier_wait", 0.10);
	add_wait(&runs[1], 101, "barrier", "pthread_barrier_wait", 0.04);
	add_wait(&runs[1], 100, "barrier", "pthread_barrier_wait", 0.03);
	strcpy(runs[1].waits[0].region, "late");
	strcpy(runs[1].waits[1].region, "late");
	fixture_report(runs, 2);
	ck_assert_uint_eq(report.nwaits, 2);
	late = &report.waits[0];
	ck_assert_str_eq(late->sum.region, "late");
	ck_assert_double_eq_tol((double)late->sum.total_ns, 0.14 * (double)SECOND / 2, 1);
	ck_assert_double_eq_tol(late->uneven_ns, 0.06 * (double)SECOND / 2, 1);
	ck_assert_str_eq(report.waits[1].sum.region, "");
	expect_text("pthread_barrier_wait  train.c:120  late\n");
	expect_text("pthread_barrier_wait  train.c:120  -\n");
}

TEST(test_text)
{
	make_runs();
	add_wait(&runs[1], 100, "barrier", "pthread_barrier_wait", 0.10);
	add_wait(&runs[1], 101, "barrier", "pthread_barrier_wait", 0.04);
	runs[1].waits[0].in_blas = runs[1].waits[1].in_blas = 1;
	fixture_report(runs, 2);
	expect_text("What the callers waited on at 2 threads: 1 of 1");
	expect_text("barrier (BLAS)  pthread_barrier_wait  train.c:120");
	expect_text("30.0 ms");
}
