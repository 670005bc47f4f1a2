/* accounting_test.c: tests roles, the account of a run and the split of lost speed-up. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/accounting.h"
#include "numbers.h"
#include "tests/unit.h"

enum { THREADS_MAX = 16 };

/* What a number before a letter is. */
#define AT(member) offsetof(struct thread_time, member)
static const struct {
	char letter;
	size_t at;
} letters[] = {
	{'B', AT(times.ns[CAT_BLAS])},
	{'C', AT(times.ns[CAT_OTHER])},
	{'O', AT(times.ns[CAT_WAITING])},
	{'P', AT(times.ns[CAT_NO_CPU])},
	{'S', AT(times.ns[CAT_SPIN])},
	{'M', AT(times.ns[CAT_MPI])},
	{'b', AT(times.blas_waiting_ns)},
	{'s', AT(start_ns)},
	{'e', AT(end_ns)},
	{'w', AT(own_ns)},
	{'x', AT(samples_blas)},
	{'y', AT(samples_other)},
	{'k', AT(samples_kernel)},
	{'c', AT(calls)},
};

/* Reads threads in words, separated by commas: "350B 600C 20O 10P". Each is alive all the time and
 * makes 10 calls; the profiler's own cost is what the times leave; ! means that BLAS's pool is off,
 * ? that no call of the process was seen. Returns how many there are. */
static size_t read_threads(const char *text, int64_t roi_ns, struct thread_time *threads)
{
	size_t count = 0;

	for (char *end; *text; count++) {
		struct thread_time *thread = &threads[count];
		int64_t sum_ns = 0;

		ck_assert_uint_lt(count, THREADS_MAX);
		*thread = (struct thread_time){.end_ns = roi_ns, .own_ns = -1, .calls = 10};
		for (; *text && *text != ','; text++) {
			int64_t number = strtoll(text, &end, 10);

			text = end;
			thread->pool_is_off |= *text == '!';
			thread->is_unseen |= *text == '?';
			EACH_ROW(row, letters, COUNT(letters))
				if (row->letter == *text)
					*(int64_t *)((char *)thread + row->at) = number;
		}
		text += *text == ',';
		thread->flops = thread->calls ? 1000 : 0;
		EACH_CATEGORY(category)
			sum_ns += thread->times.ns[category];
		if (thread->own_ns < 0)
			thread->own_ns =
				thread->calls ? thread->end_ns - thread->start_ns - sum_ns : 0;
	}
	return count;
}

static double category_sum(const struct account *account)
{
	double sum = 0;

	for (int category = 0; category < CAT_COUNT; category++)
		sum += account->category_ns[category];
	return sum;
}

/* The account of a run. `roles` has a letter for each thread: I, P and W for idle ones,
 * participants and BLAS workers; or NULL. */
static struct account account_awake(const char *text, int64_t roi_ns, int threads_requested,
				    int awake, double work, const char *roles)
{
	struct thread_time threads[THREADS_MAX];
	size_t count = read_threads(text, roi_ns, threads);
	struct account account;
	enum thread_role found[THREADS_MAX];

	ck_assert_int_eq(account_run(threads, count, roi_ns, threads_requested, awake, work,
				     &account, found),
			 0);
	for (size_t i = 0; roles && i < count; i++)
		ck_assert_msg("IPW"[found[i]] == roles[i], "%zu: %d", i, (int)found[i]);
	ck_assert_double_eq_tol(category_sum(&account), account.threads * account.wall_ns, 1e-6);
	return account;
}

static struct account account_of(const char *text, int64_t roi_ns, int threads_requested,
				 double work, const char *roles)
{
	return account_awake(text, roi_ns, threads_requested, 0, work, roles);
}

/* Compares figures of the account: "threads=2 f=350/950". Times and counts are exact. */
static void check_figures(const struct account *account, const char *wanted)
{
	const struct {
		const char *name;
		double value;
	} figures[] = {
		{"threads", account->threads},
		{"taking_turns", account->taking_turns},
		{"participants", account->participants},
		{"workers", account->workers},
		{"parallel", account->parallel},
		{"wall", account->wall_ns},
		{"claimed", account->claimed_ns},
		{"blas", account->category_ns[CAT_BLAS]},
		{"other", account->category_ns[CAT_OTHER]},
		{"waiting", account->category_ns[CAT_WAITING]},
		{"no_cpu", account->category_ns[CAT_NO_CPU]},
		{"spin", account->category_ns[CAT_SPIN]},
		{"blas_waiting", rint(account->blas_waiting_ns * 1e9) / 1e9},
		{"longest", account->longest_ns},
		{"absent", account->absent_ns},
		{"late", account->late_ns},
		{"ended", account->ended_ns},
		{"calls", account->calls},
		{"work", account->work},
		{"f", account->f_intercepted},
		{"f_sampled", account->f_sampled},
		{"worker_samples", account->worker_samples},
		{"pool_other", account->pool_other_ns},
		{"throughput", account_throughput(account)},
		{"other_per_work", account_per_work(account, CAT_OTHER)},
	};

	for (char *end; *(wanted += strspn(wanted, " ")); wanted = end) {
		size_t length = strcspn(wanted, "="), i = 0;
		double value = strtod(wanted + length + 1, &end);

		while (strlen(figures[i].name) != length ||
		       strncmp(figures[i].name, wanted, length) != 0)
			ck_assert_msg(++i < COUNT(figures), "no figure %s", wanted);
		if (*end == '/')
			value /= strtod(end + 1, &end);
		ck_assert_msg(isnan(value) ? isnan(figures[i].value)
					   : fabs(figures[i].value - value) <= 1e-15,
			      "%s is %.17g, not %s", figures[i].name, figures[i].value, wanted);
	}
}

/* Threads in words, and figures of their account. */
static const struct {
	const char *threads, *wanted, *roles;
	int64_t roi_ns; /* 0: 1000 */
	int threads_requested, awake;
	double work;
} accounts[] = {
	/* 20 ns are the profiler's own */
	{"350B 600C 20O 10P",
	 "threads=1 participants=1 parallel=0 wall=980 blas=350 other=600 waiting=20 no_cpu=10 "
	 "f=350/950 f_sampled=nan work=1000 throughput=1000/980 other_per_work=0.6",
	 "P"},
	/* threads without calls, which have too few samples to tell: the clock does */
	{"100C 900O 0c, 200C 800O 0c",
	 "participants=2 threads=2 blas=0 other=300 waiting=1700 no_cpu=0", "PP"},
	{"500C 500O 0c 4y 4k, 200C 800O 0c, 24C 0c", "participants=2 threads=2 other=700", "PPI"},
	/* one has enough in the kernel */
	{"500C 500O 0c 5y 5k, 200C 800O 0c, 24C 0c", "participants=2 threads=2 other=700", "PPI"},
	/* nothing calls BLAS, and one thread computes: for those with few samples the clock
	 * decides; in the kernel a thread waits, as samples tell */
	{"100C 900O 0c, 200C 800O 0c 4y 4k, 9C 991O 0c, 200C 800O 0c 5y, 200C 800O 0c 5y 5k",
	 "participants=3 threads=3 blas=0 other=500", "PPIPI"},
	/* likewise if BLAS has no pool, and others got 5 samples in that time */
	{"300B 700C 25y !, 200C 800O 0c !, 9C 991O 0c !", "participants=2 other=900", "PPI"},
	{"300B 700C 24y !, 200C 800O 0c !, 9C 991O 0c !", "participants=1 other=700", "PII"},
	{"300B 700C 25y, 200C 800O 0c, 9C 991O 0c", "participants=1 other=700", "PII"},
	/* what executes BLAS's code, in a process of which no call was seen, is of no pool */
	{"900C 0c 90x 2y ?, 900C 0c 90x ?, 9C 0c 90x ?",
	 "participants=2 workers=0 threads=2 other=1800", "PPI"},
	{"900C 0c 90x 2y, 900C 0c 90x", "participants=0 workers=2 threads=1", "WW"},
	/* spinning is no work: f is without it, and a thread that does nothing else takes no part
	 */
	{"350B 400C 40O 10P 200S, 1B 9C 990S 0w",
	 "spin=200 blas=350 other=400 waiting=40 no_cpu=10 f=350/750", "PI"},
	/* the main thread only waits: it is below 5 % of the busiest */
	{"10B 10C 980O, 100s 300B 500C 50O 20P, 100s 900e 300B 400C 50O 20P",
	 "threads=2 wall=970 blas=600 other=900 waiting=400 no_cpu=40 work=7 calls=30", "IPP",
	 .work = 7},
	/* of 4 threads one never was there; the others came late, had gaps, or were at an end
	 * before
	 */
	{"300B 700C, 200s 900e 300B 400C, 300s 500e 100B 100C, 600s 700e 50B 50C",
	 "longest=1000 absent=1000 late=600 ended=400", .threads_requested = 4},
	/* 5 % of the busiest are enough */
	{"40B 60C, 2B 2C 96O", "threads=1", .roi_ns = 100},
	{"40B 60C, 2B 3C 95O", "threads=2", .roi_ns = 100},
	/* of 3 that were asked for, the busiest two with less take part, if they have more together
	 */
	{"40B 60C, 2B 2C, 3C, 2C", "blas=42 other=65", "PPPI", .roi_ns = 100,
	 .threads_requested = 3},
	{"40B 60C, 2B 2C, 3C, 100O", "blas=42 other=65", "PPPI", .roi_ns = 100,
	 .threads_requested = 4},
	{"40B 60C, 2B 3C, 2C", "blas=42 other=63", "PPI", .roi_ns = 100, .threads_requested = 3},
	{"40B 60C, 2B 2C, 1C, 2C", "blas=42 other=64", "PPIP", .roi_ns = 100,
	 .threads_requested = 3},
	{"40B 60C, 2B 2C, 1C", "blas=40 other=60", "PII", .roi_ns = 100, .threads_requested = 3},
	{"40B 60C, 2B 2C, 3C", "blas=40 other=60", "PII", .roi_ns = 100, .threads_requested = 2},
	/* mostly in the kernel: takes part if too few others do */
	{"1000C 0c 14y 7k, 1000C 0c 8y 4k", "participants=1 other=1000", "PI"},
	{"1000C 0c 14y 7k, 1000C 0c 4y", "participants=2 other=2000", "PP"},
	{"4B 5C, 1000C 0c 7y 7k", "participants=1 other=5", "PI"},
	{"500B 500C, 1000C 0c 14y 7k", "other=500", "PI", .threads_requested = 1},
	{"500B 500C, 1000C 0c 14y 7k", "other=1500", "PP", .threads_requested = 2},
	{"500B 500C, 1000C 0c 14y 7k, 1000C 0c 7y 7k, 1000C 0c 14y 6k", "other=1500", "PIIP",
	 .threads_requested = 2},
	/* a call during an import tells nothing, but one that takes longer does */
	{"1700B 50000C, 600000C 0c 14y 9k, 600000C 0c 14y 9k, 500000C 0c 14y 6k", "participants=3",
	 "IPPP", .roi_ns = 1000000, .threads_requested = 2},
	{"1800B 50000C, 600000C 0c 14y 9k, 600000C 0c 14y 9k, 500000C 0c 14y 6k", "participants=2",
	 "PIIP", .roi_ns = 1000000, .threads_requested = 2},
	/* threads that only do I/O, in the kernel, take part; the main thread that started them
	 * does not */
	{"5C 0c 4y 1k, 200C 800O 0c 21y 18k, 200C 800O 0c 20y 17k", "other=400 waiting=1600", "IPP",
	 .threads_requested = 2},
	/* nor do they wait in the kernel where nothing calls BLAS, as one that clears memory */
	{"900C 100O 0c 60y 50k, 900s 100C 0c 6y, 900s 100C 0c 6y", "participants=3", "PPP",
	 .threads_requested = 2},
	/* too few samples to tell; where others call BLAS, that is no work */
	{"100C 0c 4y, 200C 0c, 4C 0c 4x", "other=300", "PPI", .threads_requested = 3},
	{"100C 0c 4y, 200B", "other=0", "IP", .threads_requested = 3},
	{"500B 500C, 500B 400C 100O", "threads=4 blas=1000 other=900 waiting=2100 no_cpu=0",
	 .threads_requested = 4},
	{"500e 200B 300C, 400s 200B 300C 100O", "threads=1 blas=400 other=600 waiting=0 no_cpu=0",
	 .threads_requested = 1},
	/* two alive at once, but the cost fell on the one that N has */
	{"500e 200B 270C, 400s 200B 300C 100O", "threads=1 wall=970", .threads_requested = 1},
	/* more computed: 1,900 ns in 1,000 */
	{"500B 500C 190b, 500B 400C 100O",
	 "threads=1 wall=1000 blas=527 other=473 waiting=0 no_cpu=0 claimed=1900 f=1000/1900 "
	 "blas_waiting=100",
	 .threads_requested = 1},
	/* of two halves of 1,001 ns, BLAS has the one that is not cut off */
	{"500B 500C 0w, 500B 500C 0w", "blas=501 other=500", .roi_ns = 1001,
	 .threads_requested = 1},
	/* clocks that disagree: 3,500 in 2,000 */
	{"500B 500C 190b 0w, 500B 2000C 100O 0w", "wall=1750", .threads_requested = 1},
	/* one calls and three compute; the others are below 5 %, of BLAS's own pool, which spins
	 * and has no work, in the kernel only, have too few samples, or half of them in the kernel
	 */
	{"400B 600C, 1000C 0c 100y, 900C 100O 0c 90y, 1000C 0c 1x 5y, 49C 951O 0c 5y,"
	 "1000C 0c 100x 10y !, 1000C 0c 7y 7k, 1000C 0c 4y, 1000C 0c 14y 7k",
	 "threads=4 blas=400 other=3500 waiting=100 no_cpu=0 f=400/3900", "PPPPIIIII"},
	/* who does not compute takes no part, also where it comes after one that did and had ended
	 */
	{"0e 0c, 400B 600C, 500e 200B 300C, 500s 100C 400O 0c 100x 10y !", "", "IPPI"},
	/* after one that computes, with less than 5 % of that and of its own life: it only waits */
	{"1000C, 400e 400C, 500s 19C 481O", "", "PPI"},
	{"1000C, 400e 400C, 500s 20C 480O", "", "PPP"},
	{"1000C, 400e 400C, 500s 880e 19C", "", "PPP"},
	{"1000C, 400e 400C, 500s 881e 19C", "", "PPI"},
	/* the first prepares the work of others, and waits: only three work at once, who take the
	 * turns of four */
	{"239C 761O, 150s 600e 400C 50O, 400s 950e 550C, 400s 950e 800C",
	 "threads=3 taking_turns=4 participants=4 other=1989 waiting=1011", "PPPP", .awake = 3},
	{"239C 761O, 150s 600e 400C 50O, 400s 950e 550C, 400s 950e 800C",
	 "threads=4 taking_turns=0", "PPPP", .awake = 4},
	{"200C 800O, 150s 950e 800C", "threads=1 taking_turns=2", "PP", .awake = 1},
	{"200C 800O, 150s 950e 800C", "threads=2 taking_turns=0", "PP"},
	{"200C 800O, 150s 950e 800C", "threads=2 taking_turns=0", "PP", .awake = 3},
	{"200C 800O, 150s 950e 800C", "threads=2 taking_turns=0", "PP", .awake = 1,
	 .threads_requested = 2},
	{"400B 500C 400x 600y, 0c 400x 300y", "parallel=1 threads=2 taking_turns=0", "PW",
	 .awake = 1},
	/* workers inside BLAS: one spins on a system call; the others are busy elsewhere, have a
	 * stray sample, or are as busy elsewhere */
	{"400B 500C 40O 50P 400x 600y, 0c 400x 300y, 0c 300x 700y 650k, 0c 300x 700y 100k, 0c 1x,"
	 "0c 300x 300y",
	 "parallel=1 threads=3 workers=2 wall=990 blas=1200 other=500 waiting=1120 no_cpu=150 "
	 "f=400/900 f_sampled=0.4 claimed=1850 worker_samples=1350",
	 "PWWIII"},
	/* a pool that runs the program's own loops too: three quarters and all of what one thread
	 * does outside BLAS, which is 200; and no more than there is of the caller's other code.
	 * The second is as often in BLAS as the caller's other code, the last has too few samples.
	 */
	{"500B 500C, 600C 0c 450x 150y, 800C 0c 600x 200y, 40C 0c 4y, 40C 0c 5y",
	 "parallel=1 pool_other=390 blas=1500 other=890 waiting=610 no_cpu=0 f=0.5"},
	{"500B 500C, 4000C 0c 450x 150y, 4000C 0c 600x 200y, 40C 0c 4y",
	 "parallel=1 pool_other=1000 blas=1500 other=1500 waiting=0 no_cpu=0 f=0.5"},
	/* threads that run the program's loops, and a part of the calls of one: a third of what the
	 * first computes, no more than the calls took of the second, nothing of a pool that is off,
	 * nor with too few samples in BLAS */
	{"400B 600C, 900C 100O 0c 100x 200y, 1000C 0c 100x 110y, 1000C 0c 100x 110y !,"
	 "1000C 0c 4x 100y, 1000C 0c 5x 95y",
	 "parallel=0 threads=6 blas=1150 other=4750 waiting=100 no_cpu=0 f=1150/5900"},
	/* a stray sample makes no worker, nor does a pool's thread that spun when it was started
	 * and then slept: it has less than a tenth of the caller's samples in BLAS, or than a
	 * hundredth of the samples of the thread with most */
	{"400B 600C, 0c 5x", "workers=1 threads=2"},
	{"400B 600C, 0c 4x", "workers=0 threads=1"},
	{"400B 600C 400x 600y, 0c 40x", "workers=1 threads=2"},
	{"400B 600C 400x 600y, 0c 39x", "workers=0 threads=1"},
	{"400B 600C 300x 3700y, 0c 40x", "workers=1 threads=2"},
	{"400B 600C 300x 3700y, 0c 39x", "workers=0 threads=1"},
	/* a pool's threads with few samples each that have a tenth of the caller's together; those
	 * without any stay idle. Not if one has enough, or the pool is off. */
	{"400B 600C 400x 600y, 0c 20x, 0c 19x, 0c 1x, 0c", "workers=3 threads=4", "PWWWI"},
	{"400B 600C 400x 600y, 0c 20x, 0c 19x, 0c", "workers=0 threads=1", "PIII"},
	{"400B 600C 400x 600y, 0c 40x, 0c 39x", "workers=1 threads=2", "PWI"},
	{"400B 600C 400x 600y, 0c 20x !, 0c 20x !", "workers=0 threads=1", "PII"},
	{"400B 600C 40x 60y, 0c 2x, 0c 2x", "workers=0 threads=1", "PII"},
	/* workers besides participants */
	{"500B 500C, 500B 500C, 0c 400x",
	 "parallel=2 threads=2 blas=1000 other=1000 waiting=0 no_cpu=0"},
	/* calls, but neither B nor C */
	{"1000O", "f=nan threads=1"},
	/* begins before the region of interest: both have one lane, as one starts when the other
	 * ends */
	{"-100s 900e 500B 500C, 900s 40B 60C", "longest=1100"},
	/* claims beyond the wall */
	{"700B 400C -50O 2000w", "wall=1100 blas=700 other=400 waiting=0 no_cpu=0 work=1000",
	 .work = NAN},
};

TEST_EACH(accounts_by_hand, COUNT(accounts))
{
	struct account account = account_awake(accounts[_i].threads, accounts[_i].roi_ns ?: 1000,
					       accounts[_i].threads_requested, accounts[_i].awake,
					       accounts[_i].work, accounts[_i].roles);

	check_figures(&account, accounts[_i].wanted);
}

/* Beside a run of one thread, of the four of another three are not there. */
TEST(runs_with_other_thread_counts)
{
	struct account sum = {0};
	struct account four =
		account_of("300B 700C, 200s 900e 300B 400C, 300s 500e 100B 100C, 600s 700e 50B 50C",
			   1000, 4, 0, NULL);
	struct account one = account_of("200B 300C", 500, 1, 0, NULL);

	account_add(&sum, &four);
	account_add(&sum, &one);
	check_figures(&sum, "absent=2500 late=600 ended=400");
	ck_assert_double_eq_tol(category_sum(&sum), 4 * sum.wall_ns, 1e-6);
}

/* One that ends when another starts is not there together with it, in whatever order they are. */
TEST(who_is_there_at_once)
{
	struct thread_time threads[4];
	enum thread_role roles[] = {ROLE_PARTICIPANT, ROLE_PARTICIPANT, ROLE_IDLE,
				    ROLE_BLAS_WORKER};

	read_threads("500s, 500e, 400s 600e, 700s 700e", 1000, threads);
	ck_assert_int_eq(roles_at_once(threads, roles, 4, ROLE_PARTICIPANT), 1);
	ck_assert_int_eq(roles_at_once(threads, roles, 4, ROLE_BLAS_WORKER), 1);
	roles[2] = ROLE_PARTICIPANT;
	ck_assert_int_eq(roles_at_once(threads, roles, 4, ROLE_PARTICIPANT), 2);
	ck_assert_int_eq(roles_at_once(threads, roles, 4, ROLE_IDLE), 0);
}

/* Threads that are awake from one time to another, and how many work at once. */
static const struct {
	int64_t awake[4][2];
	int threads;
	int64_t io[4][2];
} turns[] = {
	{{{0}}, 0},
	{{{0, 100}}, 1},
	/* for 5 % of the time in which one is awake */
	{{{0, 200}, {50, 60}}, 2},
	{{{0, 201}, {50, 60}}, 1},
	{{{0, 50}, {51, 101}, {51, 54}, {98, 101}}, 2, {{0}}},
	/* for a tenth of that in which several are */
	{{{0, 100}, {0, 100}, {90, 100}}, 3},
	{{{0, 100}, {0, 100}, {91, 100}}, 2},
	{{{0, 1000}, {0, 100}, {0, 100}, {0, 100}}, 4},
	/* one at a time: the next wakes up when the one before falls asleep */
	{{{0, 40}, {40, 80}, {80, 120}}, 1},
	/* I/O is work while none is awake */
	{{{0, 100}, {0, 20}, {80, 90}}, 2, .io = {{20, 80}, {20, 80}}},
	{{{0, 20}, {0, 20}, {80, 90}}, 2, .io = {{20, 80}, {20, 80}}},
	{{{0, 20}, {80, 90}}, 3, .io = {{20, 80}, {20, 30}, {20, 30}}},
	/* a task that ended before it began, in the records */
	{{{0, 40}, {60, 40}, {80, 120}}, 1},
};

TEST_EACH(threads_work_at_once, COUNT(turns))
{
	struct edge edges[16];
	size_t count = 0;

	for (size_t i = 0; i < COUNT(turns[_i].awake); i++) {
		edges[count++] = (struct edge){turns[_i].awake[i][1], -1, 0};
		edges[count++] = (struct edge){turns[_i].awake[i][0], 1, 0};
		edges[count++] = (struct edge){turns[_i].io[i][1], 0, -1};
		edges[count++] = (struct edge){turns[_i].io[i][0], 0, 1};
	}
	ck_assert_int_eq(threads_awake(edges, count), turns[_i].threads);
}

TEST(threads_started_anew_each_step)
{
	enum { STEPS = 100, AT_ONCE = 4 };
	struct thread_time threads[STEPS * AT_ONCE + 1];
	enum thread_role roles[STEPS * AT_ONCE + 1];
	struct account account;
	size_t count = read_threads("3000B 7000C", STEPS * 100, threads);

	/* the main thread works all along, three helpers with 8 % of its work live for a step */
	for (int step = 0; step < STEPS; step++)
		for (int i = 1; i < AT_ONCE; i++, count++) {
			read_threads("3B 5C 92O", 100, &threads[count]);
			threads[count].start_ns += step * 100;
			threads[count].end_ns += step * 100;
		}
	ck_assert_int_eq(account_run(threads, count, STEPS * 100, 0, 0, 0, &account, roles), 0);
	check_figures(&account, "threads=4 participants=301 blas=3900 other=8500 waiting=27600 "
				"no_cpu=0 f=39/124");
}

TEST(nothing_to_account)
{
	struct thread_time thread = {.end_ns = 1000, .calls = 10};
	enum thread_role role;
	struct account account;

	ck_assert_int_eq(account_run(&thread, 1, 0, 0, 0, 0, &account, &role), -1);
	ck_assert_int_eq(account_run(NULL, 0, 1000, 0, 0, 0, &account, NULL), -1);
}

/* Matrix work outside BLAS calls is a part of the other samples. */
TEST(matrix_samples)
{
	struct account account = account_of("200B 800C 20x 80y", 1000, 0, 0, NULL), sum = {0};

	account_set_matrix(&account, 50);
	ck_assert_double_eq_tol(account.f_sampled, 0.7, 1e-15);
	account_add(&sum, &account);
	account_set_matrix(&account, 1000);
	ck_assert_double_eq_tol(account.f_sampled, 1, 1e-15);
	account_add(&sum, &account);
	ck_assert_double_eq_tol(sum.f_sampled, 0.85, 1e-15);
	ck_assert_double_eq_tol(sum.f_intercepted, 0.2, 1e-15);
}

TEST(runs_add_up)
{
	struct account a = account_of("400B 600C", 1000, 0, 0, NULL), sum = {0};
	struct account b = account_of("200B 300C, 400B 100C", 500, 0, 0, NULL);

	account_add(&sum, &b);
	ck_assert_mem_eq(&sum.category_ns, &b.category_ns, sizeof sum.category_ns);
	account_add(&sum, &a);
	ck_assert_int_eq(sum.runs, 2);
	check_figures(&sum, "threads=2 wall=1500 blas=1000 other=1000 waiting=1000 no_cpu=0 f=0.5 "
			    "work=3000");
	ck_assert_double_eq_tol(category_sum(&sum), 2 * sum.wall_ns, 1e-6);
}

/* BLAS's threads have too few samples in one of two runs: with 4 threads the caller's 600 in BLAS
 * and 50 without a CPU are theirs as well. */
TEST(workers_of_one_run_are_in_the_others)
{
	struct account seen = account_of("500B 500C 50x 50y, 0c 50x", 1000, 4, 0, NULL);
	struct account unseen = account_of("600B 350C 50P 60x 35y, 0c 4x", 1000, 4, 0, NULL);
	struct account short_of = account_of("900B 600C 500O", 1000, 1, 0, NULL);
	struct account two = account_of("500B 500C, 500B 500C", 1000, 4, 0, NULL);
	struct account sum = {0}, other = {0};

	account_add(&sum, &seen);
	account_add(&sum, &unseen);
	check_figures(&sum, "threads=4 parallel=1 wall=2000 blas=4400 other=850 waiting=2550 "
			    "no_cpu=200 absent=0");
	account_add(&other, &unseen);
	account_add(&other, &seen);
	ck_assert_mem_eq(&other.category_ns, &sum.category_ns, sizeof sum.category_ns);
	/* no more than they wait */
	short_of.category_ns[CAT_WAITING] = 100;
	short_of.threads = 4;
	account_add(&sum, &short_of);
	check_figures(&sum, "blas=5400 waiting=2550");
	/* nor if there are several callers */
	account_add(&other, &two);
	check_figures(&other, "blas=5400 absent=2000");
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
	enum thread_role roles[18];
	int64_t roi_ns = 1 + (int64_t)(1e9 * next_uniform(state));
	size_t count = (size_t)n;

	for (int i = 0; i < n; i++) {
		int64_t end_ns = roi_ns - (int64_t)(0.2 * (double)roi_ns * next_uniform(state));
		int64_t left_ns = end_ns, part_ns[4];

		for (int j = 0; j < 4; j++) {
			part_ns[j] = (int64_t)((double)left_ns * 0.5 * next_uniform(state));
			left_ns -= part_ns[j];
		}
		threads[i] = (struct thread_time){
			.end_ns = end_ns,
			.times.ns = {part_ns[0], part_ns[1], left_ns - part_ns[3], part_ns[2]},
			.own_ns = part_ns[3],
			.calls = 10,
			.flops = 1e6 * next_uniform(state),
		};
	}
	if (next_random(state) % 4 == 0)
		threads[count++] = (struct thread_time){
			.end_ns = 1000, .samples_blas = 100, .samples_other = 10};
	ck_assert_int_eq(account_run(threads, count, roi_ns, (int)(next_random(state) % 20),
				     (int)(count / 2), 0, account, roles),
			 0);
}

/* Two threads of 1000 ns: one computes for 800, of which 100 in a call it is blocked, one for 300.
 */
TEST(efficiencies_by_hand)
{
	struct account base = account_of("400B 500C 100O", 1000, 0, 0, NULL);
	struct account point =
		account_of("500B 300C 200O 100b, 200B 100C 700O", 1000, 0, 1500, NULL);
	struct efficiency efficiency = account_efficiency(&base, &point);

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
	point = account_of("1000O", 1000, 0, 0, NULL);
	ck_assert(isnan(account_efficiency(&base, &point).communication));
	/* threads that follow one another are one */
	point = account_of("500e 300B 200C, 500s 300B 100C 100O", 1000, 1, 0, NULL);
	ck_assert_int_eq(point.threads, 1);
	ck_assert_double_eq_tol(account_efficiency(&base, &point).communication, 0.9, 1e-12);
	/* BLAS workers compute while their caller is inside, as long as it is not blocked */
	point = account_of("500B 300C 200O 100b, 0c 100x 10y", 1000, 2, 0, NULL);
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
		ck_assert_double_le(many.communication, 1 + 1e-9);
	}
}

/* What is known of 100 ns, and what follows: own, others, steal, quota. */
static const struct {
	struct no_cpu_evidence evidence;
	double parts[NO_CPU_COUNT];
} lacked[] = {
	{{0}, {0, 0, 0, 0}},
	/* one CPU, four threads: the records show most of it, and stand for the rest */
	{{.seen_ns = 80, .seen_own_ns = 80}, {100, 0, 0, 0}},
	{{.seen_ns = 80, .seen_own_ns = 60, .others_ns = 1000}, {75, 25, 0, 0}},
	/* others had the CPUs for less than the wait */
	{{.seen_ns = 100, .others_ns = 40}, {0, 40, 0, 0}},
	/* stolen time is in no switch record: it is not more than these leave */
	{{.seen_ns = 90, .seen_own_ns = 90, .steal_ns = 30}, {90, 0, 10, 0}},
	{{.seen_ns = 100, .others_ns = 1000, .steal_ns = 30}, {0, 100, 0, 0}},
	{{.steal_ns = 30, .others_ns = 1000}, {0, 70, 30, 0}},
	/* the quota goes before others, and after the threads that are too many */
	{{.seen_ns = 100, .quota_ns = 70, .others_ns = 1000}, {0, 30, 0, 70}},
	{{.seen_ns = 100, .seen_own_ns = 50, .quota_ns = 1000}, {50, 0, 0, 50}},
	/* no records: the mean is the least that is their own; it is not looked at where there are
	 */
	{{.over_ns = 60, .others_ns = 10}, {60, 10, 0, 0}},
	{{.seen_ns = 1, .over_ns = 60, .others_ns = 10}, {0, 10, 0, 0}},
	/* the records show more than the other clock */
	{{.seen_ns = 200, .seen_own_ns = 50, .others_ns = 1000}, {25, 75, 0, 0}},
	{{NAN, NAN, NAN, NAN, NAN, NAN}, {0, 0, 0, 0}},
	{{-1, -1, -1, -1, -1, -1}, {0, 0, 0, 0}},
};

TEST_EACH(time_without_a_cpu, COUNT(lacked))
{
	double parts[NO_CPU_COUNT];

	no_cpu_split(100, &lacked[_i].evidence, parts);
	for (int i = 0; i < NO_CPU_COUNT; i++)
		ck_assert_double_eq_tol(parts[i], lacked[_i].parts[i], 1e-9);
	no_cpu_split(0, &lacked[_i].evidence, parts);
	for (int i = 0; i < NO_CPU_COUNT; i++)
		ck_assert_double_eq(parts[i], 0);
}
