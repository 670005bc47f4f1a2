/* own_blas.c: a library that contains a BLAS and calls it by its public name, as libtorch does, and
 * a LAPACK like SciPy's. */
/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdint.h>
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
	*taken += *m;
}

/* Checks that the calls reach the sgemm_ above, which counts them in C. */
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

/* The same from other call sites. */
void own_call_elsewhere(int calls)
{
	call(1);
	call(calls - 1);
}

int scipy_dgesdd_64_(const void *jobz, const void *m, const void *n, const void *a, const void *lda,
		     const void *s, const void *u, const void *ldu, const void *vt,
		     const void *ldvt, const void *work, const void *lwork, const void *iwork,
		     const void *info, size_t length);
void own_lapack(int calls);

int scipy_dgesdd_64_(const void *jobz, const void *m, const void *n, const void *a, const void *lda,
		     const void *s, const void *u, const void *ldu, const void *vt,
		     const void *ldvt, const void *work, const void *lwork, const void *iwork,
		     const void *info, size_t length)
{
	call(3);
	return -42;
}

static void *call_lapack(void *calls)
{
	const int64_t one = 1;
	int right = 0;

	for (int i = 0; i < *(const int *)calls; i++)
		right += scipy_dgesdd_64_("S", &one, &one, NULL, &one, NULL, NULL, &one, NULL, &one,
					  NULL, &one, NULL, NULL, 1) == -42;
	if (right == *(const int *)calls)
		return NULL;
	fprintf(stderr, "%d calls of scipy_dgesdd_64_ went wrong\n", *(const int *)calls - right);
	exit(1);
}

/* Makes half of the calls in another thread. */
void own_lapack(int calls)
{
	int other_calls = calls / 2, own_calls = calls - other_calls;
	pthread_t other;

	if (pthread_create(&other, NULL, call_lapack, &other_calls))
		exit(1);
	call_lapack(&own_calls);
	pthread_join(other, NULL);
}
