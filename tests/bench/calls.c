/* calls.c: times calls of a do-nothing cblas_sgemm from threads with a number of shapes: calls THREADS SHAPES CALLS. */
/* SPDX-License-Identifier: MIT
 *
 * Prints the mean over threads of ns per call; SHAPES is a power of two.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,
		 int lda, const void *b, int ldb, float beta, void *c, int ldc);

static long calls, shapes;
static pthread_barrier_t start;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void call(long times)
{
	for (long i = 0; i < times; i++)
		cblas_sgemm(101, 111, 111, (int)(i & (shapes - 1)) + 1, 64, 64, 1, NULL, 64, NULL,
			    64, 0, NULL, 64);
}

static void *work(void *result)
{
	double begun;

	call(1000);
	pthread_barrier_wait(&start);
	begun = now_ns();
	call(calls);
	*(double *)result = (now_ns() - begun) / (double)calls;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[64];
	double results[64], sum = 0;
	int count = argc > 3 ? atoi(argv[1]) : 0;

	if (count < 1 || count > 64)
		return 2;
	shapes = atol(argv[2]);
	calls = atol(argv[3]);
	pthread_barrier_init(&start, NULL, (unsigned)count);
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, work, &results[i]))
			return 3;
	for (int i = 0; i < count; i++) {
		pthread_join(threads[i], NULL);
		sum += results[i];
	}
	printf("%.3f\n", sum / count);
	return 0;
}
