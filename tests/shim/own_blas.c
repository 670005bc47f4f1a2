/* own_blas.c: a library that has a BLAS of its own inside and calls it by its public name, as
 * libtorch does. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
	    const float *alpha, const void *a, const int *lda, const void *b, const int *ldb,
	    const float *beta, int *taken, const int *ldc);
void own_call(int calls);
void own_call_elsewhere(int calls);

void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
	    const float *alpha, const void *a, const int *lda, const void *b, const int *ldb,
	    const float *beta, int *taken, const int *ldc)
{
	(void)transa, (void)transb, (void)n, (void)k, (void)alpha, (void)a, (void)lda, (void)b;
	(void)ldb, (void)beta, (void)ldc;
	*taken += *m;
}

/* No other sgemm_ would leave a count in C. */
static inline __attribute__((always_inline)) void call(int calls)
{
	const float one = 1, zero = 0;
	const int size = 1;
	int taken = 0;

	for (int i = 0; i < calls; i++)
		sgemm_("N", "N", &size, &size, &size, &one, NULL, &size, NULL, &size, &zero, &taken,
		       &size);
	if (taken == calls)
		return;
	fprintf(stderr, "%d calls came to another sgemm_\n", calls - taken);
	exit(1);
}

void own_call(int calls)
{
	call(calls);
}

/* The same from other places. */
void own_call_elsewhere(int calls)
{
	call(1);
	call(calls - 1);
}
