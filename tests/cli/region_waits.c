/* region_waits.c: waits known times in the same functions in two regions and outside them, and
 * prints how long. */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <cblas.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "blasprof.h"

#define APART __attribute__((noinline))

enum { PLACES = 3 };
static const char *const regions[PLACES] = {"early", "late", ""};
static const int held_us[PLACES] = {40000, 70000, 25000};
static pthread_barrier_t barrier;
static int64_t asleep_ns[PLACES], barrier_ns[PLACES]; /* of the main thread */

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void compute(void)
{
	float a[16] = {1}, b[16] = {1}, c[16];

	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 4, 4, 4, 1, a, 4, b, 4, 0, c, 4);
}

static APART int64_t wait_asleep(int us)
{
	int64_t began_ns = now_ns();

	usleep((useconds_t)us);
	return now_ns() - began_ns;
}

static APART int64_t wait_at_barrier(void)
{
	int64_t began_ns = now_ns();

	pthread_barrier_wait(&barrier);
	return now_ns() - began_ns;
}

static void begin(int place)
{
	if (*regions[place])
		blasprof_region_begin(regions[place]);
	compute();
}

static void end(int place)
{
	if (*regions[place])
		blasprof_region_end(regions[place]);
}

/* Comes late to the barrier; its regions are not the main thread's: it is in the place after. */
static void *come_late(void *rounds)
{
	for (int i = 0; i < *(int *)rounds; i++)
		for (int place = 0; place < PLACES; place++) {
			begin((place + 1) % PLACES);
			usleep(2 * (useconds_t)held_us[place]);
			pthread_barrier_wait(&barrier);
			end((place + 1) % PLACES);
		}
	return NULL;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 5;
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	if (pthread_create(&thread, NULL, come_late, &rounds))
		return 1;
	for (int i = 0; i < rounds; i++)
		for (int place = 0; place < PLACES; place++) {
			begin(place);
			asleep_ns[place] += wait_asleep(held_us[place]);
			barrier_ns[place] += wait_at_barrier();
			end(place);
		}
	compute();
	pthread_join(thread, NULL);
	for (int place = 0; place < PLACES; place++)
		printf("%s,sleep,wait_asleep %lld\n%s,barrier,wait_at_barrier %lld\n",
		       regions[place], (long long)asleep_ns[place], regions[place],
		       (long long)barrier_ns[place]);
	return 0;
}
