/* spins.c: threads that wait for each other by spinning, or work in loops that look alike; prints
 * what part of each one's CPU time was work. */
/* SPDX-License-Identifier: MIT */
#include <cblas.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Usage: spins KIND SECONDS. Two threads meet again and again; the second has three times the
 * work of the first. KIND is how they wait: pause, poll, lock, yield, gpu (as its driver does, by
 * code that looks like work), omp (at OpenMP's barrier) or critical (one works after the other); or
 * work: one thread works in loops that look alike, without any waiting; or pool: one thread
 * computes and calls BLAS in turns. A line of output for each thread: "TID WORK_NS CPU_NS". */

enum { THREADS = 2, BYTES = 1 << 16 };

static atomic_int arrived, turn, ended;
static atomic_flag locks[2][THREADS];
static char text[BYTES], copy[BYTES];
static volatile double sink;
static double seconds;
static void (*wait_for_others)(int number);

static double now_s(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int64_t cpu_ns(void)
{
	return (int64_t)(now_s(CLOCK_THREAD_CPUTIME_ID) * 1e9);
}

/* Turns differ in length, for both threads alike: samples must not fall into step with them. */
static void compute(int number)
{
	static __thread uint32_t state = 1;
	double value = 1;
	long steps;

	state = state * 1664525 + 1013904223;
	steps = 100000 + (long)(state >> 16) * 200000 / 65536;
	for (long i = 0; i < (number ? 3 * steps : steps); i++)
		value = value * 0.5 + 1.0 / (double)(i + 1);
	sink = value;
}

static int64_t compute_ns(int number)
{
	int64_t began = cpu_ns();

	compute(number);
	return cpu_ns() - began;
}

/* The last to arrive starts the next turn. */
static int is_last(int *mine)
{
	*mine = atomic_load(&turn);
	if (atomic_fetch_add(&arrived, 1) < THREADS - 1)
		return 0;
	atomic_store(&arrived, 0);
	atomic_store(&turn, *mine + 1);
	return 1;
}

static void wait_with_pause(int number)
{
	int mine;

	if (!is_last(&mine))
		while (atomic_load_explicit(&turn, memory_order_acquire) == mine)
#if defined __x86_64__
			__builtin_ia32_pause();
#else
			__asm__ volatile("yield");
#endif
}

static void wait_by_polling(int number)
{
	int mine;

	if (!is_last(&mine))
		while (atomic_load_explicit(&turn, memory_order_acquire) == mine)
			;
}

static void wait_by_yielding(int number)
{
	int mine;

	if (!is_last(&mine))
		while (atomic_load_explicit(&turn, memory_order_acquire) == mine)
			sched_yield();
}

/* Each takes the lock that the other gives back; of two pairs of locks, since one thread may come
 * to the next turn before the other has taken its lock. */
static void wait_for_lock(int number)
{
	static __thread int pair;

	pair = !pair;
	atomic_flag_clear_explicit(&locks[pair][!number], memory_order_release);
	while (atomic_flag_test_and_set_explicit(&locks[pair][number], memory_order_acquire))
		;
}

static void call_blas(void)
{
	static const double one[1] = {1};
	double result[1] = {0};

	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 1, 1, 1, 1, one, 1, one, 1, 0,
		    result, 1);
	sink = result[0];
}

static void print_line(int64_t work_ns, int64_t all_ns)
{
	printf("%d %lld %lld\n", (int)gettid(), (long long)work_ns, (long long)all_ns);
}

/* The first decides when it ends, so that both do at the same turn. */
static void *run(void *argument)
{
	int number = (int)(intptr_t)argument;
	int64_t before = cpu_ns(), work_ns = 0;
	double end = now_s(CLOCK_MONOTONIC) + seconds;

	call_blas();
	for (int done = 0; !done;) {
		work_ns += compute_ns(number);
		if (!number && now_s(CLOCK_MONOTONIC) > end)
			atomic_store(&ended, 1);
		wait_for_others(number);
		done = atomic_load(&ended);
		wait_for_others(number);
	}
	call_blas();
	print_line(work_ns, cpu_ns() - before);
	return NULL;
}

static void run_openmp(bool is_critical)
{
	double end = now_s(CLOCK_MONOTONIC) + seconds;
	int64_t before[THREADS] = {0}, work_ns[THREADS] = {0};

	omp_set_num_threads(THREADS);
#pragma omp parallel
	{
		before[omp_get_thread_num()] = cpu_ns();
		call_blas();
	}
	while (now_s(CLOCK_MONOTONIC) < end) {
#pragma omp parallel
		{
			int number = omp_get_thread_num();

			if (!is_critical)
				work_ns[number] += compute_ns(number);
			for (int i = 0; is_critical && i < 50; i++) {
#pragma omp critical(turn)
				work_ns[number] += compute_ns(number);
			}
		}
	}
#pragma omp parallel
	{
		int number = omp_get_thread_num();

		call_blas();
#pragma omp critical
		print_line(work_ns[number], cpu_ns() - before[number]);
	}
}

static __attribute__((noinline)) size_t length(const char *at)
{
	const char *start = at;

	for (; *at; at++)
		__asm__ volatile(""); /* keeps the loop from becoming strlen() */
	return (size_t)(at - start);
}

static __attribute__((noinline)) int differ(const char *a, const char *b, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (a[i] != b[i])
			return 1;
	return 0;
}

static __attribute__((noinline)) long add_all(const char *at, size_t size)
{
	long sum = 0;

	for (size_t i = 0; i < size; i++) {
		sum += at[i];
		__asm__ volatile(""); /* one by one */
	}
	return sum;
}

static __attribute__((noinline)) void cuStreamSynchronize(int mine)
{
	while (atomic_load_explicit(&turn, memory_order_acquire) == mine)
		sink = (double)add_all(text, 1000);
}

static void wait_for_gpu(int number)
{
	int mine;

	if (!is_last(&mine))
		cuStreamSynchronize(mine);
}

/* As gather counters do: the loop is left only when no other thread came between. */
static void add_atomically(void)
{
	static atomic_int sum;
	int value = atomic_load(&sum);

	while (!atomic_compare_exchange_weak(&sum, &value, value * 3 + 1))
		;
}

/* Each loop for as long. */
static void work_in_loops(void)
{
	enum { LOOPS = 5 };
	int64_t before = cpu_ns();

	call_blas();
	for (int loop = 0; loop < LOOPS; loop++) {
		double end = now_s(CLOCK_MONOTONIC) + seconds / LOOPS;

		while (now_s(CLOCK_MONOTONIC) < end)
			for (int i = 0; i < 20; i++) {
				if (loop == 0)
					sink = (double)length(text);
				else if (loop == 1)
					sink = (double)((char *)memchr(text, 'b', BYTES) - text);
				else if (loop == 2)
					sink = (double)add_all(text, BYTES);
				else if (loop == 3)
					sink = differ(text, copy, BYTES);
				for (int j = 0; loop == 4 && j < 1000; j++)
					add_atomically();
			}
	}
	call_blas();
	print_line(cpu_ns() - before, cpu_ns() - before);
}

/* BLAS's own threads spin while this one computes, and this one while they are late. */
static void use_pool(void)
{
	enum { N = 384 };
	static double a[N * N], b[N * N], c[N * N];
	double end = now_s(CLOCK_MONOTONIC) + seconds;
	int64_t before = cpu_ns();

	while (now_s(CLOCK_MONOTONIC) < end) {
		cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, b, N, 0, c,
			    N);
		compute(1);
	}
	print_line(cpu_ns() - before, cpu_ns() - before);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	pthread_t other;

	seconds = argc > 2 ? atof(argv[2]) : 1;
	memset(text, 'a', BYTES - 2);
	text[BYTES - 2] = 'b';
	memcpy(copy, text, BYTES);
	for (int i = 0; i < 2 * THREADS; i++)
		atomic_flag_test_and_set(&locks[i / THREADS][i % THREADS]);
	wait_for_others = !strcmp(kind, "pause")   ? wait_with_pause
			  : !strcmp(kind, "poll")  ? wait_by_polling
			  : !strcmp(kind, "lock")  ? wait_for_lock
			  : !strcmp(kind, "yield") ? wait_by_yielding
			  : !strcmp(kind, "gpu")   ? wait_for_gpu
						   : NULL;
	if (wait_for_others) {
		if (pthread_create(&other, NULL, run, (void *)1))
			return 1;
		run(NULL);
		pthread_join(other, NULL);
	} else if (!strcmp(kind, "omp") || !strcmp(kind, "critical")) {
		run_openmp(*kind == 'c');
	} else if (!strcmp(kind, "pool")) {
		use_pool();
	} else {
		work_in_loops();
	}
	return 0;
}
