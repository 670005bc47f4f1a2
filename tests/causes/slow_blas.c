/* slow_blas.c: a BLAS whose two routines take a while without computing the result. */
/* SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "work.h"

int planted_threads, planted_queue, planted_sleep;
__thread double planted_seconds;

static pthread_mutex_t unit = PTHREAD_MUTEX_INITIALIZER;

static float take_longer(void)
{
	float sum = (float)compute(100);
	double begin = seconds(CLOCK_THREAD_CPUTIME_ID);

	if (planted_threads > 1)
		sum += (float)compute(60);
	planted_seconds += seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
	return sum;
}

void cblas_sgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transa, CBLAS_TRANSPOSE transb, blasint m,
		 blasint n, blasint k, float alpha, const float *a, blasint lda, const float *b,
		 blasint ldb, float beta, float *c, blasint ldc)
{
	/* much longer than the 0.1 ms that a wake-up may take */
	const struct timespec nap = {.tv_nsec = 20000000};
	double begin;

	if (planted_queue) {
		begin = seconds(CLOCK_MONOTONIC);
		pthread_mutex_lock(&unit);
		planted_seconds += seconds(CLOCK_MONOTONIC) - begin;
		*c = (float)compute(100);
		begin = seconds(CLOCK_MONOTONIC);
		pthread_mutex_unlock(&unit);
		planted_seconds += seconds(CLOCK_MONOTONIC) - begin;
		return;
	}
	if (planted_sleep)
		nanosleep(&nap, NULL);
	else
		*c = take_longer();
}

/* A routine with as many bytes as flops, which counts as limited by memory bandwidth. */
void cblas_saxpy(blasint n, float alpha, const float *x, blasint incx, float *y, blasint incy)
{
	*y = take_longer();
}
