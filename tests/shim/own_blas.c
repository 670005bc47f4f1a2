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

static const char job[] = "S";
static int64_t numbers[13];

/* Argument number i of the LAPACK routine. */
static const void *argument(int i)
{
	return i ? (const void *)&numbers[i - 1] : job;
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
	const void *const all[] = {jobz, m,  n,	   a,	 lda,	s,     u,
				   ldu,	 vt, ldvt, work, lwork, iwork, info};
	int right = length == 1;

	for (int i = 0; i < 14; i++)
		right &= all[i] == argument(i);
	call(3);
	return right ? -42 : 0;
}

static void *call_lapack(void *calls)
{
	int right = 0;

	for (int i = 0; i < *(const int *)calls; i++)
		right += scipy_dgesdd_64_(argument(0), argument(1), argument(2), argument(3),
					  argument(4), argument(5), argument(6), argument(7),
					  argument(8), argument(9), argument(10), argument(11),
					  argument(12), argument(13), 1) == -42;
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
