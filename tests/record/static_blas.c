/* static_blas.c: a static program with a BLAS of its own, whose calls and times it prints. */
/* SPDX-License-Identifier: MIT
 *
 * static_blas THREADS CALLS: each thread calls cblas_sgemm CALLS times, which burns 200 us in a
 * call of sgemm_, and sgemm_ by itself every tenth time; then it leaves one more call by a jump.
 * Prints the calls that returned of each routine, and the nanoseconds that threads spent in those
 * of cblas_sgemm.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BURN_NS 200000

void sgemm_(const char *transa, jmp_buf *way_out);
void cblas_sgemm(int order, jmp_buf *way_out);

static long calls;
static int64_t inside_ns;

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

__attribute__((noinline)) void sgemm_(const char *transa, jmp_buf *way_out)
{
	int64_t end_ns = now_ns() + BURN_NS;

	while (now_ns() < end_ns && *transa)
		;
	if (way_out)
		longjmp(*way_out, 1);
}

__attribute__((noinline)) void cblas_sgemm(int order, jmp_buf *way_out)
{
	sgemm_(order ? "N" : "T", way_out);
	__asm__ volatile(""); /* or the call would be a jump */
}

static __attribute__((noinline)) void leave_by_jump(void)
{
	jmp_buf way_out;

	if (!setjmp(way_out))
		cblas_sgemm(101, &way_out);
}

static void *work(void *nothing)
{
	int64_t begun_ns, sum_ns = 0;

	for (long i = 0; i < calls; i++) {
		begun_ns = now_ns();
		cblas_sgemm(101, NULL);
		sum_ns += now_ns() - begun_ns;
		if (i % 10 == 0)
			sgemm_("N", NULL);
	}
	leave_by_jump();
	sgemm_("N", NULL);
	__atomic_add_fetch(&inside_ns, sum_ns, __ATOMIC_RELAXED);
	return nothing;
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
	printf("cblas_sgemm %ld\nsgemm_ %ld\n", threads * calls, threads * ((calls + 9) / 10 + 1));
	fprintf(stderr, "%lld\n", (long long)inside_ns);
	return 0;
}
