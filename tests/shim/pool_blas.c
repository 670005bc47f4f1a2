/* pool_blas.c: a stand-in BLAS with OpenBLAS's pool of buffers: a call takes the first that is free, and there are twice
 * as many as it may have threads. */
/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define BUFFERS (2 * THREADS)

const char *openblas_get_config(void);
void *blas_memory_alloc(int where);
void blas_memory_free(void *buffer);
int pool_taken(void);
void pool_hold(pthread_barrier_t *barrier);
void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,
		 int lda, const void *b, int ldb, float beta, void *c, int ldc);

void (*pool_interrupt)(void); /* runs once, in the middle of the next call that takes a buffer */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char buffers[BUFFERS];
static int is_taken[BUFFERS];

const char *openblas_get_config(void)
{
	return "OpenBLAS 0.0.0 MAX_THREADS=4";
}

void *blas_memory_alloc(int where)
{
	void (*interrupt)(void) = __atomic_exchange_n(&pool_interrupt, NULL, __ATOMIC_RELAXED);
	int i = 0;

	(void)where;
	if (interrupt)
		interrupt();
	pthread_mutex_lock(&lock);
	while (i < BUFFERS && is_taken[i])
		i++;
	if (i == BUFFERS) {
		fprintf(stderr, "the pool is empty\n");
		exit(2);
	}
	is_taken[i] = 1;
	pthread_mutex_unlock(&lock);
	return buffers + i;
}

void blas_memory_free(void *buffer)
{
	long i = (char *)buffer - buffers;

	pthread_mutex_lock(&lock);
	if (i < 0 || i >= BUFFERS || !is_taken[i]) {
		fprintf(stderr, "a buffer that was not taken is given back\n");
		exit(2);
	}
	is_taken[i] = 0;
	pthread_mutex_unlock(&lock);
}

int pool_taken(void)
{
	int taken = 0;

	for (int i = 0; i < BUFFERS; i++)
		taken += is_taken[i];
	return taken;
}

/* What LAPACK does: a buffer is taken for long, and the call is none of BLAS. */
void pool_hold(pthread_barrier_t *barrier)
{
	char *buffer = blas_memory_alloc(0);

	pthread_barrier_wait(barrier);
	blas_memory_free(buffer);
}

#ifdef OWN_BUFFERS
/* A library that gives each thread a buffer itself has this. */
void blas_thread_memory_cleanup(void);

void blas_thread_memory_cleanup(void)
{
}
#endif

/* Notes in c, a set of bits, which buffers it had: one, and in a larger call another at the same time. */
void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,
		 int lda, const void *b, int ldb, float beta, void *c, int ldc)
{
	char *first = blas_memory_alloc(0), *second = m > 1 ? blas_memory_alloc(0) : NULL;

	(void)order, (void)transa, (void)transb, (void)n, (void)k, (void)alpha, (void)a;
	(void)lda, (void)b, (void)ldb, (void)beta, (void)ldc;
	*(unsigned *)c |= 1u << (first - buffers);
	if (second == first) {
		fprintf(stderr, "a call has one buffer twice\n");
		exit(2);
	}
	if (second)
		*(unsigned *)c |= 1u << (second - buffers);
	if (second)
		blas_memory_free(second);
	blas_memory_free(first);
}
