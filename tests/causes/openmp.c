/* openmp.c: an OpenMP program with one planted cause, or none: openmp N CASE. Prints the size of
 * the planted loss, by its own clocks. Built for libgomp and for libomp. */
/* SPDX-License-Identifier: MIT */
#include <omp.h>

#include "work.h"

enum { STEPS = 800, UNITS = 120, THREADS_MAX = 64 };

static int threads;
static struct workshop *shops[THREADS_MAX];
static double busy[THREADS_MAX]; /* seconds of work of each thread */
static double planted;		 /* thread-seconds */

static void even(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < UNITS; i++)
		work_unit(shops[omp_get_thread_num()]);
}

/* The first iterations, those of the first thread, take longer. The sum over all iterations is the
 * same for any number of threads. */
static void uneven_for(int unit, struct workshop *shop)
{
	work_unit(shop);
	if (unit < UNITS / 2)
		shop->sink += compute(12);
}

static void uneven(void)
{
#pragma omp parallel
	{
		int self = omp_get_thread_num();
		double begin = seconds(CLOCK_THREAD_CPUTIME_ID);

#pragma omp for schedule(static) nowait
		for (int i = 0; i < UNITS; i++)
			uneven_for(i, shops[self]);
		busy[self] += seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
	}
}

/* Any of the threads takes the longer section, so all of them do the same in total. */
static double section(int units)
{
	double begin = seconds(CLOCK_THREAD_CPUTIME_ID);

	for (int i = 0; i < units; i++)
		work_unit(shops[omp_get_thread_num()]);
	return seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static void uneven_sections(void)
{
	static int step;
	double longer = 0, shorter = 0;

	if (step++ % 4)
		return;
#pragma omp parallel sections
	{
#pragma omp section
		longer = section(3 * UNITS);
#pragma omp section
		shorter = section(UNITS);
	}
	planted += threads > 1 ? longer - shorter : 0;
}

static void uneven_taken(void)
{
#pragma omp parallel for schedule(dynamic, 2)
	for (int i = 0; i < UNITS; i++)
		uneven_for(i, shops[omp_get_thread_num()]);
}

static void serial(void)
{
	double begin;

	even();
	begin = seconds(CLOCK_THREAD_CPUTIME_ID);
	shops[0]->sink += reduce(500);
	planted += (threads - 1) * (seconds(CLOCK_THREAD_CPUTIME_ID) - begin);
}

/* The first thread does what all of them do in parallel, too. */
static void serial_alike(void)
{
	double begin;

	even();
	begin = seconds(CLOCK_THREAD_CPUTIME_ID);
	for (int i = 0; i < UNITS / 4; i++)
		work_unit(shops[0]);
	planted += (threads - 1) * (seconds(CLOCK_THREAD_CPUTIME_ID) - begin);
}

static void none_alike(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < UNITS + UNITS / 4; i++)
		work_unit(shops[omp_get_thread_num()]);
}

/* Waits for the answer of a child, which takes a while; all threads lose that time, and so does one
 * thread alone, for which it may take a little longer. */
static void ask(void)
{
	static int to, from;
	double begin;

	if (!to)
		helper_open(&to, &from);
	begin = seconds(CLOCK_MONOTONIC);
	helper_ask(to, from);
	planted += threads * (seconds(CLOCK_MONOTONIC) - begin);
}

/* Any of the threads does the I/O. */
static void single_io(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(static)
		for (int i = 0; i < UNITS; i++)
			work_unit(shops[omp_get_thread_num()]);
#pragma omp single
		ask();
	}
}

static void parallel_reduce(void)
{
	even();
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 120; i++)
		shops[omp_get_thread_num()]->sink += reduce(4);
}

static void critical(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < UNITS / 4; i++) {
		int self = omp_get_thread_num();
		double begin;

		work_unit(shops[self]);
		begin = seconds(CLOCK_MONOTONIC);
#pragma omp critical
		{
			busy[self] += seconds(CLOCK_MONOTONIC) - begin;
			shops[self]->sink += compute(100);
		}
	}
}

static void no_critical(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < UNITS / 4; i++) {
		int self = omp_get_thread_num();

		work_unit(shops[self]);
		shops[self]->sink += compute(100);
	}
}

/* An OpenMP loop, then a product on the threads of the BLAS library. */
static void pools(void)
{
	enum { SIDE_LARGE = 256 };
	static float a[SIDE_LARGE * SIDE_LARGE], c[SIDE_LARGE * SIDE_LARGE];

	even();
	for (int i = 0; i < 4; i++)
		cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIDE_LARGE, SIDE_LARGE,
			    SIDE_LARGE, 1, a, SIDE_LARGE, a, SIDE_LARGE, 0, c, SIDE_LARGE);
}

static const struct plant {
	const char *name;
	void (*step)(void);
	enum planted planted;
} plants[] = {
	{"none", even},
	{"none-dynamic", uneven_taken},
	{"none-reduce", parallel_reduce},
	{"none-alike", none_alike},
	{"none-critical", no_critical},
	{"imbalance", uneven, PLANTED_UNEVEN},
	{"imbalance-sections", uneven_sections},
	{"serial-part", serial},
	{"serial-alike", serial_alike},
	{"io-single", single_io},
	{"lock-critical", critical},
	{"pools-compete", pools, PLANTED_ALL},
};

int main(int argc, char **argv)
{
	const struct plant *plant = NULL;
	double begin, wall;

	threads = argc == 3 ? atoi(argv[1]) : 0;
	for (size_t i = 0; argc == 3 && i < sizeof plants / sizeof *plants; i++)
		plant = strcmp(plants[i].name, argv[2]) ? plant : &plants[i];
	if (!plant || threads < 1 || threads > THREADS_MAX)
		return 99;
	omp_set_num_threads(threads);
	for (int i = 0; i < threads; i++)
		shops[i] = workshop_open();
	begin = seconds(CLOCK_MONOTONIC);
	for (int i = 0; i < STEPS; i++)
		plant->step();
	wall = seconds(CLOCK_MONOTONIC) - begin;
	for (int i = 0; i < threads; i++)
		planted += busy[i];
	print_planted(plant->planted, planted, busy, threads, wall);
	return 0;
}
