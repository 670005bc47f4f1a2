/* matrix.c: does matrix work in functions of its own, like ggml, and prints how much, for
 * matrix-test.sh. */
/* SPDX-License-Identifier: MIT
 *
 * matrix THREADS SECONDS [blas|tiles]: each thread computes for this CPU time, partly in a dot
 * product; with "tiles" this is one of matrices that keeps its sums in registers, and with "blas"
 * another part of the time is spent in cblas_sgemm(). Each thread prints at its end how long it was
 * in the dot product, in both, and in total, in ns.  */
#include <cblas.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/shim/truth_burn.h"

enum { SIZE = 2048, ROWS = 96 };

static long wanted_ns;
static int calls_blas;

static __attribute__((noinline)) float ggml_vec_dot_f32(const float *a, const float *b)
{
	float sum = 0;

	for (int i = 0; i < SIZE; i++)
		sum += a[i] * b[i];
	return sum;
}

static __attribute__((noinline)) float ggml_vec_dot_tiles(const float *a, const float *b)
{
	typedef float numbers __attribute__((vector_size(16)));
	const numbers *left = (const numbers *)a, *right = (const numbers *)b;
	numbers first = {0}, second = {0}, third = {0}, fourth = {0};

	for (int i = 0; i < SIZE / 4; i++) {
		first += left[i][0] * right[i];
		second += left[i][1] * right[i];
		third += left[i][2] * right[i];
		fourth += left[i][3] * right[i];
	}
	return first[0] + second[1] + third[2] + fourth[3];
}

static float (*product_of)(const float *a, const float *b) = ggml_vec_dot_f32;

static __attribute__((noinline)) void squash(float *a)
{
	for (int i = 0; i < SIZE; i++)
		a[i] = a[i] * 0.999F / (1 + a[i] * a[i]);
}

/* Turns vary in length, so that samples do not synchronize with them, and are so long that reading
 * the clock does not matter. */
static void *work(void *argument)
{
	_Alignas(16) float a[SIZE], b[SIZE];
	float square[ROWS * ROWS] = {0}, product[ROWS * ROWS] = {0};
	unsigned int random = 1 + (unsigned int)(size_t)argument;
	long start_ns = clock_now_ns(CLOCK_THREAD_CPUTIME_ID), all_ns = 0, dot_ns = 0, blas_ns = 0;
	volatile float sink = 0;

	for (int i = 0; i < SIZE; i++)
		a[i] = b[i] = 1e-3F * (float)i;
	while (all_ns < wanted_ns) {
		long then_ns = clock_now_ns(CLOCK_THREAD_CPUTIME_ID);

		random = random * 1664525 + 1013904223;
		for (unsigned int i = 0; i < 1000 + random % 1024; i++)
			sink = sink + product_of(a, b);
		dot_ns += clock_now_ns(CLOCK_THREAD_CPUTIME_ID) - then_ns;
		then_ns = clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
		for (unsigned int i = 0; calls_blas && i < 40 + random % 64; i++)
			cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ROWS, ROWS, ROWS, 1,
				    square, ROWS, square, ROWS, 0, product, ROWS);
		blas_ns += calls_blas ? clock_now_ns(CLOCK_THREAD_CPUTIME_ID) - then_ns : 0;
		for (unsigned int i = 0; i < 500 + random % 256; i++)
			squash(b);
		all_ns = clock_now_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
	}
	printf("%ld %ld %ld\n", dot_ns, dot_ns + blas_ns, all_ns);
	return NULL;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t threads[16];

	wanted_ns = (long)((argc > 2 ? atof(argv[2]) : 1) * 1e9);
	calls_blas = argc > 3 && !strcmp(argv[3], "blas");
	if (argc > 3 && !strcmp(argv[3], "tiles"))
		product_of = ggml_vec_dot_tiles;
	for (int i = 0; i < count && i < 16; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)(size_t)i))
			return 1;
	for (int i = 0; i < count && i < 16; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
