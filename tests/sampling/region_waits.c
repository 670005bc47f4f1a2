/* region_waits.c: waits known times in the same functions in two regions and outside them, and
 * prints how long. */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "blasprof.h"
#include "waiting.h"

enum { PLACES = 3 };
static const char *const regions[PLACES] = {"early", "late", ""};
static const int held_us[PLACES] = {40000, 70000, 25000};
static pthread_barrier_t barrier;
static struct waited asleep[PLACES], at_barrier[PLACES]; /* waits of the main thread */

static APART void wait_asleep(int us, struct waited *waited)
{
	struct moment began = moment_now();

	usleep((useconds_t)us);
	waited_add(waited, &began);
}

static APART void wait_at_barrier(struct waited *waited)
{
	struct moment began = moment_now();

	pthread_barrier_wait(&barrier);
	waited_add(waited, &began);
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

/* Comes late to the barrier. Its regions are not those of the main thread, but each the next one.
 */
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
			wait_asleep(held_us[place], &asleep[place]);
			wait_at_barrier(&at_barrier[place]);
			end(place);
		}
	compute();
	pthread_join(thread, NULL);
	for (int place = 0; place < PLACES; place++)
		printf("%s,sleep,wait_asleep %lld %lld\n%s,barrier,wait_at_barrier %lld %lld\n",
		       regions[place], (long long)asleep[place].least_ns,
		       (long long)asleep[place].most_ns, regions[place],
		       (long long)at_barrier[place].least_ns, (long long)at_barrier[place].most_ns);
	return 0;
}
