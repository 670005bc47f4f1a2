/* kernel_times.c: prints the times of softmax, RMSNorm and a BLAS call in C, in the format of the
 * ports. */
/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "blas_threads.h"
#include "gemm.h"
#include "kernels.h"

enum { TOKENS = 64, HIDDEN = 64, ROUNDS = 201, CALLS = 20 };

static float scores[TOKENS * TOKENS], x[TOKENS * HIDDEN], y[TOKENS * HIDDEN];
static float gain[HIDDEN], scale[TOKENS], small[4], product[4];

static void run_softmax(void)
{
	causal_softmax_forward(scores, TOKENS);
}

static void run_rmsnorm(void)
{
	rmsnorm_forward(y, scale, x, gain, TOKENS, HIDDEN);
}

static void run_call(void)
{
	gemm_nn(2, 2, 2, 1, small, small, 0, product);
}

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int compare_times(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

/* Median time of a call in microseconds. */
static double time_us(void (*call)(void))
{
	double times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		double start = now_us();

		for (int j = 0; j < CALLS; j++)
			call();
		times[i] = (now_us() - start) / CALLS;
	}
	qsort(times, ROUNDS, sizeof(*times), compare_times);
	return times[ROUNDS / 2];
}

int main(void)
{
	double softmax, rmsnorm, call;

	for (int i = 0; i < TOKENS * HIDDEN; i++)
		x[i] = scores[i % (TOKENS * TOKENS)] = 0.5f;
	softmax = time_us(run_softmax);
	rmsnorm = time_us(run_rmsnorm);
	blas_threads_set(1);
	call = time_us(run_call);
	printf("kernels sequence %d hidden %d softmax-us %.3f rmsnorm-us %.3f call-us %.3f\n",
	       TOKENS, HIDDEN, softmax, rmsnorm, call);
	return 0;
}
