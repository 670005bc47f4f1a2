/* callers.c: calls BLAS from known places, which the table of callers must show. */
/* SPDX-License-Identifier: MIT
 *
 * callers THREADS [BLAS_THREADS]: each thread makes 10 calls from a function, 20 from a function
 * that is inlined into another, 30 by the Fortran name, 40 from a function in a library, and 50 by
 * a function pointer. At the end, OpenBLAS is set to BLAS_THREADS.
 * callers 0: two functions make a call of each of 5,000 shapes.
 */
#include <pthread.h>
#include <stdlib.h>

#include "callers.h"

#define SHAPES 5000

static float a[64], b[64];
static __thread float c[64];

__attribute__((noinline)) void call_directly(int times)
{
	for (int i = 0; i < times; i++)
		cblas_sgemm(101, 111, 111, 8, 8, 8, 1, a, 8, b, 8, 0, c, 8);
}

static inline __attribute__((always_inline)) void call_inlined(void)
{
	cblas_sgemm(101, 111, 111, 8, 8, 8, 1, a, 8, b, 8, 0, c, 8);
}

__attribute__((noinline)) void call_by_inlined(int times)
{
	for (int i = 0; i < times; i++)
		call_inlined();
}

__attribute__((noinline)) void call_fortran(int times)
{
	const int n = 8;
	const float one = 1, zero = 0;

	for (int i = 0; i < times; i++)
		sgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n, 1, 1);
}

__attribute__((noinline)) void call_by_pointer(int times)
{
	sgemm_function *volatile function = cblas_sgemm;

	for (int i = 0; i < times; i++)
		function(101, 111, 111, 8, 8, 8, 1, a, 8, b, 8, 0, c, 8);
}

static float column[SHAPES], result[SHAPES];

__attribute__((noinline)) void call_shape(int m)
{
	cblas_sgemm(102, 111, 111, m, 1, 1, 1, column, m, b, 1, 0, result, m);
}

__attribute__((noinline)) void call_shape_again(int m)
{
	cblas_sgemm(102, 111, 111, m, 1, 1, 1, column, m, b, 1, 0, result, m);
	result[0] = 0;
}

static void *work(void *unused)
{
	call_directly(10);
	call_by_inlined(20);
	call_fortran(30);
	library_call(40, a, b, c);
	call_by_pointer(50);
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t others[16];

	if (threads < 0 || threads > 16)
		return 2;
	for (int m = 1; !threads && m <= SHAPES; m++) {
		call_shape(m);
		call_shape_again(m);
	}
	for (int i = 0; i < threads; i++)
		if (pthread_create(&others[i], NULL, work, NULL))
			return 3;
	for (int i = 0; i < threads; i++)
		pthread_join(others[i], NULL);
	if (argc > 2)
		openblas_set_num_threads(atoi(argv[2]));
	return 0;
}
