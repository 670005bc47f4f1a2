/* work.h: what the programs with a planted cause share: units of work, clocks, and the output. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CAUSES_WORK_H
#define TESTS_CAUSES_WORK_H

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIDE = 64 };

/* What the calls of slow_blas.c do: take longer if there are several threads, queue, or sleep, so
 * that many threads need no more CPUs than few. */
extern int planted_threads, planted_queue, planted_sleep;
/* Seconds by which the calls of this thread took longer. */
extern __thread double planted_seconds;

/* Each thread has its own. */
struct workshop {
	float a[SIDE * SIDE], b[SIDE * SIDE], c[SIDE * SIDE];
	double sink;
	double blas, other; /* seconds in the two parts of the units of work, by the wall clock */
};

static inline struct workshop *workshop_open(void)
{
	struct workshop *shop = aligned_alloc(4096, (sizeof *shop + 4095) / 4096 * 4096);

	if (!shop)
		exit(99);
	memset(shop, 0, sizeof *shop);
	for (int i = 0; i < SIDE * SIDE; i++)
		shop->a[i] = shop->b[i] = (float)(i % 7) / 7;
	return shop;
}

/* Arithmetic that the compiler cannot remove and other threads do not slow down: about 1 us each
 * time. */
static inline double multiply(double x, int times)
{
	for (int i = 0; i < times * 250; i++) {
		x = x * 0.999999 + 0.000001;
		__asm__ volatile("" : "+x"(x));
	}
	return x;
}

static __attribute__((noinline)) double compute(int times)
{
	return multiply(1, times);
}

/* The same amount of work in another function. */
static __attribute__((noinline, unused)) double reduce(int times)
{
	return multiply(2, times);
}

static inline void call(struct workshop *shop)
{
	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIDE, SIDE, SIDE, 1, shop->a, SIDE,
		    shop->b, SIDE, 0, shop->c, SIDE);
}

static inline double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One unit of work: a BLAS call, and other code; about 15 us. */
static __attribute__((noinline, unused)) void work_unit(struct workshop *shop)
{
	double begin = seconds(CLOCK_MONOTONIC), between;

	call(shop);
	between = seconds(CLOCK_MONOTONIC);
	shop->sink += compute(12);
	shop->blas += between - begin;
	shop->other += seconds(CLOCK_MONOTONIC) - between;
}

/* Starts a child that answers each byte with a byte, after a while. */
static inline void helper_open(int *to, int *from)
{
	int there[2], back[2];
	char byte;

	if (pipe(there) || pipe(back))
		exit(99);
	*to = there[1];
	*from = back[0];
	if (fork()) {
		close(there[0]);
		close(back[1]);
		return;
	}
	close(there[1]);
	while (read(there[0], &byte, 1) == 1) {
		usleep(600);
		if (write(back[1], "", 1) != 1)
			break;
	}
	_exit(0);
}

static inline void helper_ask(int to, int from)
{
	char byte;

	if (write(to, "", 1) != 1 || read(from, &byte, 1) != 1)
		exit(99);
}

/* The planted loss: a sum; how long the others wait for the busiest thread; all time in which the
 * threads do not work; or all that the program loses, compared with the wall time of one thread. If
 * threads lack a CPU, the last is more than the time without one: a thread that got more CPU time
 * ends early and then waits. */
enum planted { PLANTED_SUM, PLANTED_UNEVEN, PLANTED_IDLE, PLANTED_ALL };

/* Prints it as a number of threads: thread-seconds over the wall time. causes.sh and
 * causes-test.sh read this line. */
static inline void print_planted(enum planted planted, double sum, const double *busy, int count,
				 double wall)
{
	double most = 0, all = 0;

	for (int i = 0; i < count; i++) {
		most = busy[i] > most ? busy[i] : most;
		all += busy[i];
	}
	if (planted == PLANTED_UNEVEN)
		sum = count * most - all;
	if (planted == PLANTED_IDLE)
		sum = count * wall - all;
	if (planted == PLANTED_ALL)
		printf("planted all wall %.4f\n", wall);
	else
		printf("planted %.4f wall %.4f cpu %.4f\n", sum / wall, wall,
		       seconds(CLOCK_PROCESS_CPUTIME_ID));
}

#endif
