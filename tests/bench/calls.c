/* calls.c: times calls of a product that does nothing: calls THREADS SHAPES CALLS [fortran]. */
/* SPDX-License-Identifier: MIT
 *
 * Prints the ns per call as the mean over threads. SHAPES is the number of shapes, a power of two.
 * All calls of cblas_sgemm (or sgemm_) are from one call site.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,
		 int lda, const void *b, int ldb, float beta, void *c, int ldc);

void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
	    const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
	    const float *beta, float *c, const int *ldc, size_t transa_length,
	    size_t transb_length);

static long calls, shapes;
static int is_fortran;
static pthread_barrier_t start;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static __attribute__((noinline)) void call_fortran(long times)
{
	const float zero = 0, one = 1;
	const int size = 64;

	for (long i = 0; i < times; i++) {
		int m = (int)(i & (shapes - 1)) + 1;

		sgemm_("N", "N", &m, &size, &size, &one, NULL, &size, NULL, &size, &zero, NULL,
		       &size, 1, 1);
	}
}

static __attribute__((noinline)) void call_c(long times)
{
	for (long i = 0; i < times; i++)
		cblas_sgemm(101, 111, 111, (int)(i & (shapes - 1)) + 1, 64, 64, 1, NULL, 64, NULL,
			    64, 0, NULL, 64);
}

static void call(long times)
{
	if (is_fortran)
		call_fortran(times);
	else
		call_c(times);
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
	is_fortran = argc > 4 && !strcmp(argv[4], "fortran");
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
