/* static_blas.c: a static program with a BLAS of its own, whose calls and times it prints. */
/* SPDX-License-Identifier: MIT
 *
 * static_blas THREADS CALLS: each thread calls cblas_sgemm CALLS times, which spends 200 us in a
 * call of sgemm_, and every tenth time sgemm_ directly. Then it leaves one more call by a jump, and
 * calls cblas_dtrsm, whose n is on the stack. Prints the calls of each routine and shape that
 * returned, with their flops, and the ns that threads spent in those of cblas_sgemm.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/shim/truth_burn.h"

#define BURN_NS 200000

void sgemm_(const char *transa, jmp_buf *way_out);
void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,
		 int lda, const void *b, int ldb, float beta, jmp_buf *c, int ldc);
void cblas_dtrsm(int order, int side, int uplo, int transa, int diag, int m, int n, double alpha,
		 const void *a, int lda, void *b, int ldb);

static long calls;
static int64_t inside_ns;

__attribute__((noinline)) void sgemm_(const char *transa, jmp_buf *way_out)
{
	int64_t end_ns = clock_now_ns(CLOCK_MONOTONIC) + BURN_NS;

	while (clock_now_ns(CLOCK_MONOTONIC) < end_ns && *transa)
		;
	if (way_out)
		longjmp(*way_out, 1);
}

__attribute__((noinline)) void cblas_sgemm(int order, int transa, int transb, int m, int n, int k,
					   float alpha, const void *a, int lda, const void *b,
					   int ldb, float beta, jmp_buf *c, int ldc)
{
	(void)transa, (void)transb, (void)m, (void)n, (void)k, (void)alpha, (void)a, (void)lda;
	(void)b, (void)ldb, (void)beta, (void)ldc;
	sgemm_(order ? "N" : "T", c);
	__asm__ volatile(""); /* otherwise the call would be a jump */
}

__attribute__((noinline)) void cblas_dtrsm(int order, int side, int uplo, int transa, int diag,
					   int m, int n, double alpha, const void *a, int lda,
					   void *b, int ldb)
{
	(void)order, (void)side, (void)uplo, (void)transa, (void)diag, (void)m, (void)n;
	(void)alpha, (void)a, (void)lda, (void)b, (void)ldb;
	__asm__ volatile("");
}

/* Pointers that the compiler cannot follow; otherwise it would call copies with fewer arguments. */
static __typeof__(cblas_sgemm) *volatile sgemm = cblas_sgemm;
static __typeof__(cblas_dtrsm) *volatile dtrsm = cblas_dtrsm;

static void call(int m, jmp_buf *way_out)
{
	sgemm(101, 111, 112, m, 4, 5, 1, NULL, 1, NULL, 1, 0, way_out, 1);
}

static __attribute__((noinline)) void leave_by_jump(void)
{
	jmp_buf way_out;

	if (!setjmp(way_out))
		call(3, &way_out);
}

static void *work(void *nothing)
{
	int64_t begun_ns, sum_ns = 0;

	for (long i = 0; i < calls; i++) {
		begun_ns = clock_now_ns(CLOCK_MONOTONIC);
		call(i % 2 ? 300 : 3, NULL);
		sum_ns += clock_now_ns(CLOCK_MONOTONIC) - begun_ns;
		if (i % 10 == 0)
			sgemm_("N", NULL);
	}
	leave_by_jump();
	sgemm_("N", NULL);
	dtrsm(101, 141, 121, 111, 131, 6, 7, 1, NULL, 6, NULL, 7);
	__atomic_add_fetch(&inside_ns, sum_ns, __ATOMIC_RELAXED);
	return nothing;
}

/* Prints routine, transposes, m, n, k, calls and flops. */
static void print_shapes(long threads)
{
	long even = threads * ((calls + 1) / 2), odd = threads * (calls / 2);

	printf("cblas_dtrsm N- 6 7 6 %ld %ld\n", threads, threads * 6 * 6 * 7);
	printf("cblas_sgemm NT 3 4 5 %ld %ld\n", even, even * 2 * 3 * 4 * 5);
	if (odd)
		printf("cblas_sgemm NT 300 4 5 %ld %ld\n", odd, odd * 2 * 300 * 4 * 5);
	printf("sgemm_ -- 0 0 0 %ld 0\n", threads * ((calls + 9) / 10 + 1));
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t ids[16];

	calls = argc > 2 ? atol(argv[2]) : 1;
	for (int i = 0; i < threads && i < 16; i++)
		if (pthread_create(&ids[i], NULL, work, NULL))
			return 1;
	for (int i = 0; i < threads && i < 16; i++)
		pthread_join(ids[i], NULL);
	print_shapes(threads);
	fprintf(stderr, "%lld\n", (long long)inside_ns);
	return 0;
}
