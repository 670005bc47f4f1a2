/* blas.c: threads that call slow_blas.c, whose calls queue, get slower, or sleep: blas N CASE. */
/* SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "work.h"

enum { CALLS = 6000, NAPS = 160, THREADS_MAX = 64 };

static int threads, vectors;

/* The duration of the other code varies, as in real programs, so that threads do not synchronise.
 */
static void *work(void *planted)
{
	struct workshop *shop = workshop_open();
	unsigned int state = (unsigned int)(size_t)planted;

	for (int i = 0; i < (planted_sleep ? NAPS : CALLS) / threads; i++) {
		if (vectors)
			cblas_saxpy(SIDE * SIDE, 1, shop->a, 1, shop->c, 1);
		else
			work_unit(shop);
		state = state * 1103515245 + 12345;
		shop->sink += compute((int)(state >> 16) % 100);
	}
	*(double *)planted = planted_seconds;
	free(shop);
	return NULL;
}

int main(int argc, char **argv)
{
	double planted[THREADS_MAX] = {0}, sum = 0, begin = seconds(CLOCK_MONOTONIC), wall;
	pthread_t others[THREADS_MAX];

	threads = argc == 3 ? atoi(argv[1]) : 0;
	if (threads < 1 || threads > THREADS_MAX)
		return 99;
	planted_queue = !strcmp(argv[2], "blas-queue");
	planted_sleep = !strcmp(argv[2], "sleep");
	vectors = !strcmp(argv[2], "blas-bandwidth");
	planted_threads = vectors || !strcmp(argv[2], "blas-slower") ? threads : 1;
	for (int i = 1; i < threads; i++)
		pthread_create(&others[i], NULL, work, &planted[i]);
	work(&planted[0]);
	for (int i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
	wall = seconds(CLOCK_MONOTONIC) - begin;
	for (int i = 0; i < threads; i++)
		sum += planted[i];
	print_planted(PLANTED_SUM, sum, planted, threads, wall);
	return 0;
}
