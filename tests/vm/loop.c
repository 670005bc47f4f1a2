/* loop.c: executes a known number of instructions, in BLAS calls and outside them. */
/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "tiny_blas.h"

static struct {
	uint64_t other, blas; /* rounds of a thread in each step */
	int steps;
} work;

static void *run_steps(void *argument)
{
	float x = 1;

	(void)argument;
	for (int i = 0; i < work.steps; i++) {
		cblas_sscal((int)work.blas, 1, &x, 1);
		execute_rounds(work.other);
	}
	cblas_sscal(1, 1, &x, 1);
	return NULL;
}

/* Usage: loop OTHER_ROUNDS BLAS_ROUNDS [STEPS [THREADS]]. Prints the total number of instructions
 * and the number in BLAS. */
int main(int argc, char **argv)
{
	int threads = argc > 4 ? atoi(argv[4]) : 1;
	uint64_t calls;
	pthread_t ids[16];

	if (argc < 3)
		return 2;
	work.steps = argc > 3 ? atoi(argv[3]) : 1;
	work.other = strtoull(argv[1], NULL, 10);
	work.blas = strtoull(argv[2], NULL, 10);
	threads = threads > 16 ? 16 : threads;
	for (int i = 1; i < threads; i++)
		pthread_create(&ids[i], NULL, run_steps, NULL);
	run_steps(NULL);
	for (int i = 1; i < threads; i++)
		pthread_join(ids[i], NULL);
	calls = 2 * (uint64_t)threads * (uint64_t)work.steps;
	printf("%llu %llu\n", (unsigned long long)(calls * (work.other + work.blas)),
	       (unsigned long long)(calls * work.blas));
	return 0;
}
