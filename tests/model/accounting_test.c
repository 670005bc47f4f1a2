/* accounting_test.c: tests roles, the account of a run and the split of lost speed-up. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "model/accounting.h"
#include "numbers.h"
#include "tests/unit.h"

/* A caller alive from start to end, with B, C, O, P; own cost is what is left. */
static struct thread_time caller(int64_t start_ns, int64_t end_ns, int64_t blas_ns,
				 int64_t other_ns, int64_t waiting_ns, int64_t no_cpu_ns)
{
	return (struct thread_time){
		.start_ns = start_ns,
		.end_ns = end_ns,
		.times.ns = {blas_ns, other_ns, waiting_ns, no_cpu_ns},
		.own_ns = end_ns - start_ns - blas_ns - other_ns - waiting_ns - no_cpu_ns,
		.calls = 10,
		.flops = 1000,
	};
}

static double category_sum(const struct account *account)
{
	double sum = 0;

	for (int category = 0; category < CAT_COUNT; category++)
		sum += account->category_ns[category];
	return sum;
}

static void assert_categories(const struct account *account, double blas, double other,
			      double waiting, double no_cpu)
{
	ck_assert_double_eq(account->category_ns[CAT_BLAS], blas);
	ck_assert_double_eq(account->category_ns[CAT_OTHER], other);
	ck_assert_double_eq(account->category_ns[CAT_WAITING], waiting);
	ck_assert_double_eq(account->category_ns[CAT_NO_CPU], no_cpu);
	ck_assert_double_eq_tol(category_sum(account), account->threads * account->wall_ns, 1e-6);
}

/* The account of a run. `roles` has a letter for each thread: I, P and W for idle ones,
 * participants and BLAS workers; or NULL. */
static struct account account_of(const struct thread_time *threads, size_t count, int64_t roi_ns,
				 int threads_requested, double work, const char *roles)
{
	struct account account;
	enum thread_role found[16];

	ck_assert_int_eq(account_run(threads, count, roi_ns, threads_requested, work, &account,
				     roles ? found : NULL),
			 0);
	for (size_t i = 0; roles && i < count; i++)
		ck_assert_msg("IPW"[found[i]] == roles[i], "%zu: %d", i, (int)found[i]);
	return account;
}

TEST(one_thread)
{
	struct thread_time thread = caller(0, 1000, 350, 600, 20, 10);
	struct account account = account_of(&thread, 1, 1000, 0, 0, "P");

	ck_assert_int_eq(account.threads, 1);
	ck_assert_int_eq(account.participants, 1);
	ck_assert_int_eq(account.parallel, PARALLEL_CALLERS);
	ck_assert_double_eq(account.wall_ns, 980); /* 20 ns are the profiler's own */
	assert_categories(&account, 350, 600, 20, 10);
	ck_assert_double_eq_tol(account.f_intercepted, 350.0 / 950, 1e-15);
	ck_assert(isnan(account.f_sampled));
	ck_assert_double_eq(account.work, 1000);
	ck_assert_double_eq_tol(account_throughput(&account), 1000.0 / 980, 1e-15);
	ck_assert_double_eq_tol(account_per_work(&account, CAT_OTHER), 0.6, 1e-15);
}

/* Threads without calls and with too few samples to take part: N is 1. */
TEST(nobody_takes_part)
{
	struct thread_time threads[2] = {caller(0, 1000, 0, 100, 900, 0),
					 caller(0, 1000, 0, 200, 800, 0)};
	struct account account;

	threads[0].calls = threads[1].calls = 0;
	account = account_of(threads, 2, 1000, 0, 0, "II");
	ck_assert_int_eq(account.participants, 0);
	ck_assert_int_eq(account.threads, 1);
	assert_categories(&account, 0, 0, 1000, 0);
}

/* It is no work: f is without it, and a thread that does nothing else takes no part. */
TEST(spinning)
{
	struct thread_time threads[2] = {caller(0, 1000, 350, 600, 40, 10),
					 caller(0, 1000, 1, 9, 0, 0)};
	struct account account;

	threads[0].times.ns[CAT_OTHER] -= 200;
	threads[0].times.ns[CAT_SPIN] = 200;
	threads[1].times.ns[CAT_SPIN] = 990;
	account = account_of(threads, 2, 1000, 0, 0, "PI");
	ck_assert_double_eq(account.category_ns[CAT_SPIN], 200);
	assert_categories(&account, 350, 400, 40, 10);
	ck_assert_double_eq_tol(account.f_intercepted, 350.0 / 750, 1e-15);
}

TEST(main_thread_that_only_waits)
{
	struct thread_time threads[] = {
		caller(0, 1000, 10, 10, 980, 0), /* below 5 % of the busiest */
		caller(100, 1000, 300, 500, 50, 20),
		caller(100, 900, 300, 400, 50, 20),
	};
	struct account account = account_of(threads, 3, 1000, 0, 7, "IPP");

	ck_assert_int_eq(account.threads, 2);
	ck_assert_double_eq(account.wall_ns, 1000 - 60 / 2);
	assert_categories(&account, 600, 900, 2000 - 60 - 600 - 900 - 40, 40);
	ck_assert_double_eq(account.work, 7);
	ck_assert_double_eq(account.calls, 30);
}

/* Of 4 threads one never was there; the others came late, had gaps, or were at an end before. */
TEST(when_threads_are_not_there)
{
	struct thread_time threads[] = {
		caller(0, 1000, 300, 700, 0, 0),
		caller(200, 900, 300, 400, 0, 0),
		caller(300, 500, 100, 100, 0, 0),
		caller(600, 700, 50, 50, 0, 0),
	};
	struct thread_time alone = caller(0, 500, 200, 300, 0, 0);
	struct account account = account_of(threads, 4, 1000, 4, 0, NULL), sum = {0};

	ck_assert_double_eq(account.longest_ns, 1000);
	ck_assert_double_eq(account.absent_ns, 1000);
	ck_assert_double_eq(account.late_ns, 200 + 300 + 100);
	ck_assert_double_eq(account.ended_ns, 100 + 300);
	/* beside a run of one thread three are not there */
	account_add(&sum, &account);
	account = account_of(&alone, 1, 500, 1, 0, NULL);
	account_add(&sum, &account);
	ck_assert_double_eq(sum.absent_ns, 1000 + 3 * 500);
	ck_assert_double_eq(sum.late_ns, 600);
	ck_assert_double_eq(sum.ended_ns, 400);
	ck_assert_double_eq_tol(category_sum(&sum), 4 * sum.wall_ns, 1e-6);
}

/* One that ends when another starts is not there together with it, in whatever order they are. */
TEST(who_is_there_at_once)
{
	struct thread_time threads[] = {
		caller(500, 1000, 200, 300, 0, 0),
		caller(0, 500, 200, 300, 0, 0),
		caller(400, 600, 100, 100, 0, 0),
		caller(700, 700, 0, 0, 0, 0),
	};
	enum thread_role roles[] = {ROLE_PARTICIPANT, ROLE_PARTICIPANT, ROLE_IDLE,
				    ROLE_BLAS_WORKER};

	ck_assert_int_eq(roles_at_once(threads, roles, 4, ROLE_PARTICIPANT), 1);
	ck_assert_int_eq(roles_at_once(threads, roles, 4, ROLE_BLAS_WORKER), 1);
	roles[2] = ROLE_PARTICIPANT;
	ck_assert_int_eq(roles_at_once(threads, roles, 4, ROLE_PARTICIPANT), 2);
	ck_assert_int_eq(roles_at_once(threads, roles, 4, ROLE_IDLE), 0);
}

TEST(threshold_is_five_percent)
{
	for (int busy = 4; busy <= 5; busy++) {
		struct thread_time threads[] = {
			caller(0, 100, 40, 60, 0, 0),
			caller(0, 100, 2, busy - 2, 100 - busy, 0),
		};
		ck_assert_int_eq(account_of(threads, 2, 100, 0, 0, NULL).threads,
				 busy == 5 ? 2 : 1);
	}
}

TEST(threads_started_anew_each_step)
{
	enum { STEPS = 100, AT_ONCE = 4 };
	struct thread_time threads[STEPS * AT_ONCE + 1];
	struct account account;
	size_t count = 0;

	/* the main thread works all along, three helpers with 8 % of its work live for a step */
	threads[count++] = caller(0, STEPS * 100, STEPS * 30, STEPS * 70, 0, 0);
	for (int step = 0; step < STEPS; step++)
		for (int i = 1; i < AT_ONCE; i++)
			threads[count++] = caller(step * 100, step * 100 + 100, 3, 5, 92, 0);
	account = account_of(threads, count, STEPS * 100, 0, 0, NULL);
	ck_assert_int_eq(account.threads, AT_ONCE);
	ck_assert_int_eq(account.participants, (int)count);
	assert_categories(&account, STEPS * 39, STEPS * 85, STEPS * 276, 0);
	ck_assert_double_eq_tol(account.f_intercepted, 39.0 / 124, 1e-15);
}

TEST(requested_threads)
{
	struct thread_time in_turn[] = {
		caller(0, 500, 200, 300, 0, 0),
		caller(400, 1000, 200, 300, 100, 0),
	};
	struct thread_time together[] = {
		caller(0, 1000, 500, 500, 0, 0),
		caller(0, 1000, 500, 400, 100, 0),
	};
	struct account account = account_of(together, 2, 1000, 4, 0, NULL);

	ck_assert_int_eq(account.threads, 4);
	assert_categories(&account, 1000, 900, 2100, 0);
	account = account_of(in_turn, 2, 1000, 1, 0, NULL);
	ck_assert_int_eq(account.threads, 1);
	assert_categories(&account, 400, 600, 0, 0);
	in_turn[0].times.ns[CAT_OTHER] -= 30;
	in_turn[0].own_ns = 30; /* two alive at once, but the cost fell on the one that N has */
	account = account_of(in_turn, 2, 1000, 1, 0, NULL);
	ck_assert_int_eq(account.threads, 1);
	ck_assert_double_eq(account.wall_ns, 970);
	together[0].times.blas_waiting_ns = 190;
	account = account_of(together, 2, 1000, 1, 0, NULL);
	ck_assert_int_eq(account.threads, 1); /* more computed: 1,900 ns in 1,000 */
	ck_assert_double_eq_tol(account.blas_waiting_ns, 100, 1e-9);
	ck_assert_double_eq(account.wall_ns, 1000);
	assert_categories(&account, 527, 473, 0, 0);
	ck_assert_double_eq(account.claimed_ns, 1900);
	ck_assert_double_eq_tol(account.f_intercepted, 1000.0 / 1900, 1e-15);
	together[0].own_ns = together[1].own_ns = 0;
	together[1].times.ns[CAT_OTHER] += 1600; /* clocks that disagree: 3,500 in 2,000 */
	account = account_of(together, 2, 1000, 1, 0, NULL);
	ck_assert_double_eq(account.wall_ns, 1750);
}

/* A thread that computes and makes no call, with these samples. */
static struct thread_time computing(int64_t other_ns, int64_t waiting_ns, uint64_t blas,
				    uint64_t other)
{
	return (struct thread_time){
		.end_ns = other_ns + waiting_ns,
		.times.ns = {0, other_ns, waiting_ns, 0},
		.samples_blas = blas,
		.samples_other = other,
	};
}

TEST(one_calls_and_three_compute)
{
	struct thread_time threads[] = {
		caller(0, 1000, 400, 600, 0, 0), computing(1000, 0, 0, 100),
		computing(900, 100, 0, 90),	 computing(1000, 0, 1, 5),
		computing(49, 951, 0, 5),    /* below 5 % */
		computing(1000, 0, 100, 10), /* of BLAS's own pool */
		computing(1000, 0, 0, 7),    /* in the kernel only */
		computing(1000, 0, 0, 4),    /* too few samples */
		computing(1000, 0, 0, 14),   /* half of them in the kernel */
	};
	struct account account;

	threads[5].pool_is_off = 1; /* it spins and has no work */
	threads[6].samples_kernel = threads[8].samples_kernel = 7;
	account = account_of(threads, 9, 1000, 0, 0, "PPPPIIIII");
	ck_assert_int_eq(account.threads, 4);
	assert_categories(&account, 400, 3500, 100, 0);
	ck_assert_double_eq_tol(account.f_intercepted, 400.0 / 3900, 1e-15);
}

/* Who does not compute takes no part, also where it comes after one that did and had ended. */
TEST(who_follows_a_caller)
{
	struct thread_time threads[] = {
		computing(0, 0, 0, 0), caller(0, 1000, 400, 600, 0, 0),
		caller(0, 500, 200, 300, 0, 0),
		computing(100, 400, 100, 10), /* of BLAS's own pool */
	};

	threads[3].start_ns += 500;
	threads[3].end_ns += 500;
	threads[3].pool_is_off = 1;
	account_of(threads, 4, 1000, 0, 0, "IPPI");
}

/* A thread without a call, with these samples. */
static struct thread_time sampled(uint64_t blas, uint64_t other, uint64_t kernel)
{
	return (struct thread_time){
		.end_ns = 1000,
		.samples_blas = blas,
		.samples_other = other,
		.samples_kernel = kernel,
	};
}

TEST(workers_inside_blas)
{
	struct thread_time threads[] = {
		caller(0, 1000, 400, 500, 40, 50),
		sampled(400, 300, 0),
		sampled(300, 700, 650), /* spins on a system call */
		sampled(300, 700, 100), /* busy elsewhere */
		sampled(1, 0, 0),	/* a stray sample */
		sampled(300, 300, 0),	/* as busy elsewhere */
	};
	struct account account;

	threads[0].samples_blas = 400;
	threads[0].samples_other = 600;
	account = account_of(threads, 6, 1000, 0, 0, "PWWIII");
	ck_assert_int_eq(account.parallel, PARALLEL_INNER);
	ck_assert_int_eq(account.threads, 3);
	ck_assert_int_eq(account.workers, 2);
	ck_assert_double_eq(account.wall_ns, 990);
	assert_categories(&account, 1200, 500, 3 * 990 - 1200 - 500 - 150, 150);
	ck_assert_double_eq_tol(account.f_intercepted, 400.0 / 900, 1e-15);
	ck_assert_double_eq_tol(account.f_sampled, 0.4, 1e-15);
	ck_assert_double_eq(account.claimed_ns, 3 * 450 + 500);
	ck_assert_double_eq(account.worker_samples, 400 + 300 + 650);
}

/* A pool that runs the program's own loops too: three quarters and all of what one thread does
 * outside BLAS, which is 200; and no more than there is of the caller's other code. */
TEST(pool_of_blas_and_program)
{
	static const struct {
		int64_t busy_ns[2];
		double pool_ns, waiting_ns;
	} rows[] = {{{600, 800}, 150 + 200, 2 * 500 - 350}, {{4000, 4000}, 1000, 0}};

	EACH_ROW(row, rows, COUNT(rows)) {
		struct thread_time threads[] = {
			caller(0, 1000, 500, 500, 0, 0),
			sampled(450, 150, 0), /* as often in BLAS as the caller's other code */
			sampled(600, 200, 0), sampled(0, 4, 0), /* too few samples */
		};
		struct account account;

		threads[1].times.ns[CAT_OTHER] = row->busy_ns[0];
		threads[2].times.ns[CAT_OTHER] = row->busy_ns[1];
		threads[3].times.ns[CAT_OTHER] = 40;
		account = account_of(threads, 4, 1000, 0, 0, NULL);
		ck_assert_int_eq(account.parallel, PARALLEL_INNER);
		ck_assert_double_eq(account.pool_other_ns, row->pool_ns);
		assert_categories(&account, 1500, 500 + row->pool_ns, row->waiting_ns, 0);
		ck_assert_double_eq_tol(account.f_intercepted, 0.5, 1e-15);
	}
}

/* Threads that run the program's loops, and a part of the calls of one: a third of what the first
 * computes, no more than the calls took of the second, and nothing of a pool that is off. */
TEST(participants_inside_calls_of_another)
{
	struct thread_time threads[] = {
		caller(0, 1000, 400, 600, 0, 0), computing(900, 100, 100, 200),
		computing(1000, 0, 100, 110),	 computing(1000, 0, 100, 110),
		computing(1000, 0, 4, 100), /* too few samples in BLAS */
	};
	struct account account;

	threads[3].pool_is_off = 1;
	account = account_of(threads, 5, 1000, 0, 0, NULL);
	ck_assert_int_eq(account.parallel, PARALLEL_CALLERS);
	ck_assert_int_eq(account.threads, 5);
	assert_categories(&account, 400 + 300 + 400, 600 + 600 + 600 + 1000 + 1000, 100, 0);
	ck_assert_double_eq_tol(account.f_intercepted, 1100.0 / 4900, 1e-15);
}

/* A stray sample makes no worker, nor does a pool's thread that spun when it was started and then
 * slept: it has less than a tenth of the caller's samples in BLAS, or than a hundredth of the
 * samples of the thread with most. */
TEST(few_samples_make_no_worker)
{
	static const struct {
		uint64_t blas, other; /* of the caller */
		uint64_t enough;
	} rows[] = {{0, 0, 5}, {400, 600, 40}, {300, 3700, 40}};

	EACH_ROW(row, rows, COUNT(rows))
		for (int few = 0; few <= 1; few++) {
			struct thread_time threads[] = {
				caller(0, 1000, 400, 600, 0, 0),
				sampled(row->enough - (uint64_t)few, 0, 0),
			};
			struct account account;

			threads[0].samples_blas = row->blas;
			threads[0].samples_other = row->other;
			account = account_of(threads, 2, 1000, 0, 0, NULL);
			ck_assert_int_eq(account.workers, !few);
			ck_assert_int_eq(account.threads, few ? 1 : 2);
		}
}

TEST(workers_besides_participants)
{
	struct thread_time threads[] = {
		caller(0, 1000, 500, 500, 0, 0),
		caller(0, 1000, 500, 500, 0, 0),
		sampled(400, 0, 0),
	};
	struct account account = account_of(threads, 3, 1000, 0, 0, NULL);

	ck_assert_int_eq(account.parallel, PARALLEL_BOTH);
	ck_assert_int_eq(account.threads, 2);
	assert_categories(&account, 1000, 1000, 0, 0);
}

TEST(nothing_to_account)
{
	struct thread_time thread = caller(0, 1000, 0, 0, 1000, 0);
	struct account account;

	ck_assert_int_eq(account_run(&thread, 1, 0, 0, 0, &account, NULL), -1);
	ck_assert_int_eq(account_run(NULL, 0, 1000, 0, 0, &account, NULL), -1);
	account = account_of(&thread, 1, 1000, 0, 0, NULL);
	ck_assert(isnan(account.f_intercepted)); /* calls, but neither B nor C */
	ck_assert_int_eq(account.threads, 1);
}

/* Matrix work outside BLAS calls is a part of the other samples. */
TEST(matrix_samples)
{
	struct thread_time thread = caller(0, 1000, 200, 800, 0, 0);
	struct account account, sum = {0};

	thread.samples_blas = 20;
	thread.samples_other = 80;
	account = account_of(&thread, 1, 1000, 0, 0, NULL);
	account_set_matrix(&account, 50);
	ck_assert_double_eq_tol(account.f_sampled, 0.7, 1e-15);
	account_add(&sum, &account);
	account_set_matrix(&account, 1000);
	ck_assert_double_eq_tol(account.f_sampled, 1, 1e-15);
	account_add(&sum, &account);
	ck_assert_double_eq_tol(sum.f_sampled, 0.85, 1e-15);
	ck_assert_double_eq_tol(sum.f_intercepted, 0.2, 1e-15);
}

TEST(claims_beyond_the_wall)
{
	struct thread_time thread = caller(0, 1000, 700, 400, -50, 0);
	struct account account;

	thread.own_ns = 2000;
	account = account_of(&thread, 1, 1000, 0, NAN, NULL);
	ck_assert_double_eq(account.wall_ns, 1100);
	assert_categories(&account, 700, 400, 0, 0);
	ck_assert_double_eq(account.work, 1000);
}

TEST(runs_add_up)
{
	struct thread_time one = caller(0, 1000, 400, 600, 0, 0);
	struct thread_time two[] = {caller(0, 500, 200, 300, 0, 0), caller(0, 500, 400, 100, 0, 0)};
	struct account a = account_of(&one, 1, 1000, 0, 0, NULL), sum = {0};
	struct account b = account_of(two, 2, 500, 0, 0, NULL);

	account_add(&sum, &b);
	ck_assert_mem_eq(&sum.category_ns, &b.category_ns, sizeof sum.category_ns);
	account_add(&sum, &a);
	ck_assert_int_eq(sum.threads, 2);
	ck_assert_int_eq(sum.runs, 2);
	ck_assert_double_eq(sum.wall_ns, 1500);
	assert_categories(&sum, 1000, 1000, 1000, 0);
	ck_assert_double_eq(sum.f_intercepted, 0.5);
	ck_assert_double_eq(sum.work, 3000);
}

TEST(comparison_needs_work_and_time)
{
	struct account good = {.threads = 1, .wall_ns = 10, .work = 1, .category_ns = {10}};
	struct account idle = good, instant = good;
	struct decomposition split;

	idle.work = 0;
	instant.wall_ns = 0;
	ck_assert_int_eq(decompose(&good, &good, &split), 0);
	ck_assert_double_eq(split.speedup, 1);
	ck_assert(!signbit(split.lost[CAT_WAITING]));
	ck_assert_int_eq(decompose(&idle, &good, &split), -1);
	ck_assert_int_eq(decompose(&good, &instant, &split), -1);
	ck_assert(isnan(account_per_work(&idle, CAT_BLAS)));
	ck_assert_double_eq(account_throughput(&idle), 0);
	ck_assert(isnan(account_throughput(&instant)));
}

/* A run of n threads with times at random; sometimes with a request, sometimes with workers. */
static void random_account(uint64_t *state, int n, struct account *account)
{
	struct thread_time threads[18];
	int64_t roi_ns = 1 + (int64_t)(1e9 * next_uniform(state));
	size_t count = (size_t)n;

	for (int i = 0; i < n; i++) {
		int64_t end_ns = roi_ns - (int64_t)(0.2 * (double)roi_ns * next_uniform(state));
		int64_t left_ns = end_ns, part_ns[4];

		for (int j = 0; j < 4; j++) {
			part_ns[j] = (int64_t)((double)left_ns * 0.5 * next_uniform(state));
			left_ns -= part_ns[j];
		}
		threads[i] = caller(0, end_ns, part_ns[0], part_ns[1], left_ns, part_ns[2]);
		threads[i].own_ns = part_ns[3];
		threads[i].times.ns[CAT_WAITING] -= part_ns[3];
		threads[i].flops = 1e6 * next_uniform(state);
	}
	if (next_random(state) % 4 == 0)
		threads[count++] = sampled(100, 10, 0);
	*account = account_of(threads, count, roi_ns, (int)(next_random(state) % 20), 0, NULL);
}

/* Two threads of 1000 ns: one computes for 800, of which 100 in a call it is blocked, one for 300.
 */
TEST(efficiencies_by_hand)
{
	struct thread_time one = caller(0, 1000, 400, 500, 100, 0);
	struct thread_time two[] = {caller(0, 1000, 500, 300, 200, 0),
				    caller(0, 1000, 200, 100, 700, 0)};
	struct account base, point;
	struct efficiency efficiency;

	two[0].times.blas_waiting_ns = 100;
	base = account_of(&one, 1, 1000, 0, 0, NULL);
	point = account_of(two, 2, 1000, 0, 1500, NULL);
	efficiency = account_efficiency(&base, &point);
	ck_assert_double_eq_tol(efficiency.balance, 1000 / (2 * 700.0), 1e-12);
	ck_assert_double_eq_tol(efficiency.communication, 0.7, 1e-12);
	ck_assert_double_eq_tol(efficiency.parallel, 0.5, 1e-12);
	ck_assert_double_eq_tol(efficiency.computation, 900 / (1000 / 1.5), 1e-12);
	ck_assert_double_eq_tol(efficiency.global, 0.5 * 1.35, 1e-12);
	account_add(&point, &point);
	ck_assert_double_eq_tol(account_efficiency(&base, &point).balance, efficiency.balance,
				1e-12);
	point.work = 0;
	ck_assert(isnan(account_efficiency(&base, &point).global));
	/* threads that follow one another are one */
	two[0] = caller(0, 500, 300, 200, 0, 0);
	two[1] = caller(500, 1000, 300, 100, 100, 0);
	point = account_of(two, 2, 1000, 1, 0, NULL);
	ck_assert_int_eq(point.threads, 1);
	ck_assert_double_eq_tol(account_efficiency(&base, &point).communication, 0.9, 1e-12);
	/* BLAS workers compute while their caller is inside, as long as it is not blocked */
	two[0] = caller(0, 1000, 500, 300, 200, 0);
	two[0].times.blas_waiting_ns = 100;
	two[1] = sampled(100, 10, 0);
	two[1].end_ns = 1000;
	point = account_of(two, 2, 1000, 2, 0, NULL);
	ck_assert_int_eq(point.parallel, PARALLEL_INNER);
	ck_assert_double_eq_tol(account_efficiency(&base, &point).parallel, 1100 / 2000.0, 1e-12);
	ck_assert_double_eq_tol(account_efficiency(&base, &point).balance, 1100 / 1400.0, 1e-12);
}

/* Each sum of an account is added. */
TEST(accounts_add_up)
{
	struct account sum = {.threads = 2}, more;
	double *const sums[] = {
		&sum.wall_ns,	    &sum.caller_blas_ns, &sum.caller_other_ns, &sum.blas_waiting_ns,
		&sum.longest_ns,    &sum.own_ns,	 &sum.calls,	       &sum.flops,
		&sum.work,	    &sum.samples_blas,	 &sum.samples_other,   &sum.worker_samples,
		&sum.pool_other_ns,
	};
	double wanted[COUNT(sums)];

	for (int i = 0; i < COUNT(sums); i++)
		wanted[i] = 2 * (*sums[i] = 8 + i);
	for (int i = 0; i < CAT_COUNT; i++)
		sum.category_ns[i] = 4;
	more = sum;
	account_add(&sum, &more);
	ck_assert_int_eq(sum.threads, 2);
	for (int i = 0; i < CAT_COUNT; i++)
		ck_assert_double_eq(sum.category_ns[i], 8);
	for (int i = 0; i < COUNT(sums); i++)
		ck_assert_double_eq(*sums[i], wanted[i]);
}

TEST(parts_add_up_to_the_loss)
{
	uint64_t state = 20261121;

	for (int i = 0; i < 20000; i++) {
		struct account base, point;
		struct decomposition split;
		double lost = 0, sum1, sum_n;
		struct efficiency one, many;

		random_account(&state, 1 + (int)(next_random(&state) % 3), &base);
		random_account(&state, 1 + (int)(next_random(&state) % 16), &point);
		ck_assert_double_eq_tol(category_sum(&point) / (point.threads * point.wall_ns), 1,
					1e-12);
		ck_assert_double_ge(point.category_ns[CAT_WAITING], 0);
		ck_assert_int_eq(decompose(&base, &point, &split), 0);
		for (int category = 0; category < CAT_COUNT; category++)
			lost += split.lost[category];
		ck_assert_double_eq_tol(split.ideal - split.speedup, lost,
					1e-6 * fmax(1e-3, fabs(lost)));
		sum1 = category_sum(&base) / base.work;
		sum_n = category_sum(&point) / point.work;
		ck_assert_double_eq_tol(split.speedup / (split.ideal * sum1 / sum_n), 1, 1e-9);
		one = account_efficiency(&base, &base);
		many = account_efficiency(&base, &point);
		ck_assert_double_eq_tol(split.ideal * many.global / one.global / split.speedup, 1,
					1e-9);
		ck_assert_double_eq_tol(many.balance * many.communication / many.parallel, 1, 1e-9);
		ck_assert_double_le(many.balance, 1 + 1e-9);
	}
}
