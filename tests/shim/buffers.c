/* buffers.c: threads that call pool_blas.c one after another, and what they had of its buffers. */
/* SPDX-License-Identifier: MIT
 *
 * buffers LIBRARY THREADS M: a thread's first call is interrupted by another call of its own; then so many threads take
 * turns, ten each, with calls that take two buffers where M is 2; then as many more live one after another; then eight hold
 * a buffer each at once, as many as there are; then a forked child does the same from the turns on. Prints how many
 * buffers the threads had that took turns, how many each, and how many are taken after all have ended, in the parent and
 * in the child.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "find.h"

#define TURNS 10
#define MOST  64
#define ALL   8 /* of pool_blas.c */

static sgemm gemm;
static void (*hold)(pthread_barrier_t *barrier);
static void *interrupted;
static pthread_barrier_t barrier;
static int threads, m;

static void call(unsigned *had)
{
	gemm(101, 111, 111, m, 1, 1, 1, NULL, 1, NULL, 1, 0, had, 1);
}

struct member {
	pthread_t thread;
	int number;
	unsigned had;
};

static void *take_turns(void *data)
{
	struct member *member = data;

	for (int i = 0; i < TURNS * threads; i++) {
		if (i % threads == member->number)
			call(&member->had);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void *live_once(void *data)
{
	unsigned *had = data;

	call(had);
	return NULL;
}

static void *hold_one(void *data)
{
	hold(data);
	return NULL;
}

static void hold_all(void)
{
	pthread_barrier_t all_have_one;
	pthread_t holders[ALL];

	pthread_barrier_init(&all_have_one, NULL, ALL);
	for (int i = 0; i < ALL; i++)
		pthread_create(&holders[i], NULL, hold_one, &all_have_one);
	for (int i = 0; i < ALL; i++)
		pthread_join(holders[i], NULL);
	pthread_barrier_destroy(&all_have_one);
}

static int bits(unsigned set)
{
	return __builtin_popcount(set);
}

/* As a signal handler does that comes in the middle of a call. */
static void interrupt(void)
{
	unsigned had = 0;

	gemm(101, 111, 111, 1, 1, 1, 1, NULL, 1, NULL, 1, 0, &had, 1);
}

static void *be_interrupted(void *data)
{
	void (**at)(void) = data;
	unsigned had = 0;

	__atomic_store_n(at, interrupt, __ATOMIC_RELAXED);
	for (int i = 0; i < TURNS; i++)
		gemm(101, 111, 111, 2, 1, 1, 1, NULL, 1, NULL, 1, 0, &had, 1);
	return NULL;
}

/* Prints what they had. */
static void run(const char *who)
{
	struct member members[MOST] = {0};
	unsigned all = 0, once = 0;
	int most = 0;

	for (int i = 0; i < threads; i++) {
		members[i].number = i;
		pthread_create(&members[i].thread, NULL, take_turns, &members[i]);
	}
	for (int i = 0; i < threads; i++) {
		pthread_join(members[i].thread, NULL);
		all |= members[i].had;
		most = bits(members[i].had) > most ? bits(members[i].had) : most;
	}
	for (int i = 0; i < threads; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, live_once, &once);
		pthread_join(thread, NULL);
	}
	hold_all();
	printf("%s had %d, each at most %d", who, bits(all), most);
}

int main(int argc, char **argv)
{
	void *library = argc == 4 ? dlopen(argv[1], RTLD_LAZY) : NULL;
	int (*taken)(void);
	pthread_t first;

	threads = argc == 4 ? atoi(argv[2]) : 0;
	if (!library || threads < 1 || threads > MOST)
		return 64;
	m = atoi(argv[3]);
	gemm = (sgemm)find(library, "cblas_sgemm");
	interrupted = find(library, "pool_interrupt");
	hold = (void (*)(pthread_barrier_t *))find(library, "pool_hold");
	taken = (int (*)(void))find(library, "pool_taken");
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	pthread_create(&first, NULL, be_interrupted, interrupted);
	pthread_join(first, NULL);
	run("parent");
	printf(", taken %d\n", taken());
	fflush(stdout);
	if (!fork()) {
		run("child");
		printf(", taken %d\n", taken());
		exit(0);
	}
	wait(NULL);
	return 0;
}
