/* sgemm_loop.c: times cblas_sgemm in a plain loop, without code of workloads/cells. Prints the
 * median and the minimum ns per call. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include <cblas.h>

#include "base/array.h"
#include "wire/clock.h"

/* Loops are so short that few of them are interrupted, and so many that the median is reliable. */
#define LOOP_FLOPS 1e7
#define ALL_FLOPS  3e9
enum { LOOPS_MIN = 101, LOOPS_MAX = 1001 };

COMPARE(compare_doubles, double, ORDER(*a, *b))

int main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 64;
	const double flops = 2.0 * n * n * n;
	const int calls = (int)(LOOP_FLOPS / flops) + 1;
	int loops = (int)(ALL_FLOPS / (calls * flops)) | 1;
	const size_t bytes = ((size_t)n * (size_t)n * sizeof(float) + 63) / 64 * 64;
	float *a = aligned_alloc(64, bytes), *b = aligned_alloc(64, bytes),
	      *c = aligned_alloc(64, bytes);
	static double times[LOOPS_MAX];

	if (n < 1 || !a || !b || !c)
		return EXIT_FAILURE;
	loops = loops < LOOPS_MIN ? LOOPS_MIN : loops > LOOPS_MAX ? LOOPS_MAX : loops;
	for (int i = 0; i < n * n; i++)
		a[i] = b[i] = (float)(i % 7) - 3;
	for (int loop = 0; loop < loops; loop++) {
		const int64_t start_ns = clock_ns(CLOCK_MONOTONIC);

		for (int i = 0; i < calls; i++)
			cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b,
				    n, 0, c, n);
		times[loop] = (double)(clock_ns(CLOCK_MONOTONIC) - start_ns) / calls;
	}
	qsort(times, (size_t)loops, sizeof(*times), compare_doubles);
	printf("%.1f %.1f\n", times[loops / 2], times[0]);
	return 0;
}
