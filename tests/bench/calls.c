/* calls.c: times calls of a product that does nothing: calls THREADS SHAPES CALLS [fortran]. */
/* SPDX-License-Identifier: MIT
 *
 * Prints the ns per call as the mean over threads. SHAPES is the number of shapes, a power of two.
 * With PLUGIN, the calls are in a library that is opened as Python opens its modules: only that
 * library sees its BLAS, and RTLD_NEXT finds none.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgemm.h"
#include "wire/clock.h"

typedef void loop(long times, long shapes);

static long calls, shapes;
static loop *call;
static pthread_barrier_t start;

static loop *find_loop(int is_fortran)
{
#ifdef PLUGIN
	void *plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);

	return plugin ? (loop *)dlsym(plugin, is_fortran ? "call_fortran" : "call_c") : NULL;
#else
	return is_fortran ? call_fortran : call_c;
#endif
}

static void *work(void *result)
{
	int64_t begun_ns;

	call(1000, shapes);
	pthread_barrier_wait(&start);
	begun_ns = clock_ns(CLOCK_MONOTONIC);
	call(calls, shapes);
	*(double *)result = (double)(clock_ns(CLOCK_MONOTONIC) - begun_ns) / (double)calls;
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
	call = find_loop(argc > 4 && !strcmp(argv[4], "fortran"));
	if (!call)
		return 4;
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
