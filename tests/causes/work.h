/* work.h: what the programs with a planted cause share: units of work, clocks, and the output. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CAUSES_WORK_H
#define TESTS_CAUSES_WORK_H

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* One unit of work: a BLAS call, and other code; about 15 us. */
static __attribute__((noinline, unused)) void work_unit(struct workshop *shop)
{
	call(shop);
	shop->sink += compute(12);
}

static inline double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Prints the planted loss as a number of threads: thread-seconds over the wall time. causes.sh
 * and causes-test.sh read this line. */
static inline void print_planted(double lost_seconds, double wall)
{
	printf("planted %.4f wall %.4f cpu %.4f\n", lost_seconds / wall, wall,
	       seconds(CLOCK_PROCESS_CPUTIME_ID));
}

/* The planted loss is all that a run with several threads loses compared with one thread. */
static inline void print_planted_all(double wall)
{
	printf("planted all wall %.4f\n", wall);
}

/* Returns N times the largest value minus the sum: how long the others wait for the busiest thread.
 */
static inline double shortfall(const double *values, int count)
{
	double most = 0, sum = 0;

	for (int i = 0; i < count; i++) {
		most = values[i] > most ? values[i] : most;
		sum += values[i];
	}
	return count * most - sum;
}

#endif
