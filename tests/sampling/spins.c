/* spins.c: threads that wait for each other by spinning, or work in loops that look similar; prints
 * which part of the CPU time of each was work. */
/* SPDX-License-Identifier: MIT */
#include <cblas.h>
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/shim/truth_burn.h"

/* Usage: spins SECONDS KIND...: each kind lasts until its first thread has had the CPU for so long,
 * so that there are enough samples on a busy machine. Two threads meet again and again; the second
 * has three times the work of the first. KIND is how they wait: pause, poll, lock, yield, gpu (as
 * its driver does, in code that looks like work), omp (at the barrier of OpenMP), tasks (three are
 * made for two threads) or critical (one works after the other). With KIND work, one thread works
 * in loops that look similar, without any waiting; with pool, one thread computes and calls BLAS in
 * turn; with serial, threads work in parallel regions of OpenMP, and the first also between them;
 * with files, two create and remove files in one directory, without a line. Prints a line for each
 * thread: "KIND TID WORK_NS CPU_NS". */

enum { THREADS = 2, BYTES = 1 << 16 };

static atomic_int arrived, turn, ended;
static atomic_flag locks[2][THREADS];
static char text[BYTES], copy[BYTES];
static volatile double sink;
static int64_t wanted_ns;
static const char *kind;
static void (*wait_for_others)(int number);

/* Turns differ in length, for both threads alike, so that samples do not synchronize with them. */
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

static int64_t cpu_now_ns(void)
{
	return clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
}

static int64_t compute_ns(int number)
{
	int64_t began = cpu_now_ns();

	compute(number);
	return cpu_now_ns() - began;
}

static int64_t compute_pieces_ns(int number, int pieces)
{
	int64_t sum_ns = 0;

	while (pieces--)
		sum_ns += compute_ns(number);
	return sum_ns;
}

/* Arrives at a meeting. Returns the turn that must end, or -1 to the last thread, which has ended
 * it. */
static int arrive(void)
{
	int mine = atomic_load(&turn);

	if (atomic_fetch_add(&arrived, 1) < THREADS - 1)
		return mine;
	atomic_store(&arrived, 0);
	atomic_store(&turn, mine + 1);
	return -1;
}

static void pause_thread(void)
{
#if defined __x86_64__
	__builtin_ia32_pause();
#else
	__asm__ volatile("yield");
#endif
}

static void wait_with_pause(int number)
{
	int mine = arrive();

	while (atomic_load_explicit(&turn, memory_order_acquire) == mine)
		pause_thread();
}

static void wait_by_polling(int number)
{
	int mine = arrive();

	while (atomic_load_explicit(&turn, memory_order_acquire) == mine)
		;
}

static void wait_by_yielding(int number)
{
	int mine = arrive();

	while (atomic_load_explicit(&turn, memory_order_acquire) == mine)
		sched_yield();
}

/* Each thread takes a lock that the other one releases. There are two pairs of locks, because one
 * thread may come to the next turn before the other has taken its lock. */
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
	printf("%s %d %lld %lld\n", kind, (int)gettid(), (long long)work_ns, (long long)all_ns);
}

/* The first thread decides when to end, so that both end at the same turn. */
static void *run(void *argument)
{
	int number = (int)(intptr_t)argument;
	int64_t before = cpu_now_ns(), work_ns = 0;
	int64_t end = cpu_now_ns() + wanted_ns;

	call_blas();
	for (int done = 0; !done;) {
		work_ns += compute_ns(number);
		if (!number && cpu_now_ns() > end)
			atomic_store(&ended, 1);
		wait_for_others(number);
		done = atomic_load(&ended);
		wait_for_others(number);
	}
	call_blas();
	print_line(work_ns, cpu_now_ns() - before);
	return NULL;
}

/* With kind serial, the first thread also computes between the regions, and this counts as its
 * work, of all that it computes. */
static void run_openmp(void)
{
	bool is_critical = *kind == 'c', is_serial = *kind == 's', has_tasks = *kind == 't';
	int64_t end = cpu_now_ns() + wanted_ns;
	int64_t before[THREADS] = {0}, work_ns[THREADS] = {0}, alone_ns[THREADS] = {0};
	/* on one CPU each meeting takes several switches between threads */
	int pieces = omp_get_num_procs() > 1 ? 1 : 20;

	omp_set_num_threads(THREADS);
#pragma omp parallel
	{
		before[omp_get_thread_num()] = cpu_now_ns();
		call_blas();
	}
	while (cpu_now_ns() < end) {
#pragma omp parallel
		{
			int number = omp_get_thread_num();

			if (!is_critical && !has_tasks)
				work_ns[number] += compute_pieces_ns(number, pieces);
#pragma omp single
			for (int i = 0; has_tasks && i < 3; i++) {
#pragma omp task
				work_ns[omp_get_thread_num()] += compute_pieces_ns(1, 20);
			}
			for (int i = 0; is_critical && i < 50; i++) {
#pragma omp critical(turn)
				work_ns[number] += compute_ns(number);
			}
		}
		alone_ns[0] += is_serial ? compute_pieces_ns(0, pieces) : 0;
	}
#pragma omp parallel
	{
		int number = omp_get_thread_num();
		int64_t all_ns = cpu_now_ns() - before[number];

		call_blas();
#pragma omp critical
		print_line(is_serial ? alone_ns[number] : work_ns[number],
			   is_serial ? work_ns[number] + alone_ns[number] : all_ns);
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
	cuStreamSynchronize(arrive());
}

/* Loops like a counter: the loop ends only if no other thread has changed the sum in between. */
static void add_atomically(void)
{
	static atomic_int sum;
	int value = atomic_load(&sum);

	while (!atomic_compare_exchange_weak(&sum, &value, value * 3 + 1))
		;
}

/* The same for a number of floating point, with a pause before another try. */
static void add_with_pause(void)
{
	static _Atomic float sum;
	float value = atomic_load(&sum);

	while (!atomic_compare_exchange_weak(&sum, &value, value + 1))
		pause_thread();
}

/* Takes and releases a lock that is always free. */
static void take_free_lock(void)
{
	static atomic_flag lock;

	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		pause_thread();
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

/* Only the first of these bits is set, in a word that other threads might change. */
static int find_bit(const volatile uint64_t *word)
{
	int bit = 0;

	while (!(*word >> bit & 1))
		bit++;
	return bit;
}

/* Works the same time in each loop, and in all for longer than it should: few samples of a loop
 * with a pause do not tell. */
static void work_in_loops(void)
{
	static const volatile uint64_t last_bit = UINT64_C(1) << 63;
	enum { LOOPS = 8 };
	int64_t before = cpu_now_ns();

	call_blas();
	for (int loop = 0; loop < LOOPS; loop++) {
		int64_t end = cpu_now_ns() + 6 * wanted_ns / LOOPS;

		while (cpu_now_ns() < end)
			for (int i = 0; i < 20; i++) {
				if (loop == 0)
					sink = (double)length(text);
				else if (loop == 1)
					sink = (double)((char *)memchr(text, 'b', BYTES) - text);
				else if (loop == 2)
					sink = (double)add_all(text, BYTES);
				else if (loop == 3)
					sink = differ(text, copy, BYTES);
				for (int j = 0; loop >= 4 && j < 1000; j++) {
					if (loop == 4)
						add_atomically();
					else if (loop == 5)
						add_with_pause();
					else if (loop == 6)
						take_free_lock();
					else
						sink = find_bit(&last_bit);
				}
			}
	}
	call_blas();
	print_line(cpu_now_ns() - before, cpu_now_ns() - before);
}

/* The threads of BLAS spin while this one computes, and this one spins while they are late. */
static void use_pool(void)
{
	enum { N = 384 };
	static double a[N * N], b[N * N], c[N * N];
	int64_t end = cpu_now_ns() + wanted_ns;
	int64_t before = cpu_now_ns();

	openblas_set_num_threads(THREADS); /* also where there is one CPU */
	while (cpu_now_ns() < end) {
		cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, b, N, 0, c,
			    N);
		compute(1);
	}
	print_line(cpu_now_ns() - before, cpu_now_ns() - before);
}

/* The kernel has a lock for each directory. */
static void *make_files(void *directory)
{
	int64_t end = cpu_now_ns() + wanted_ns;
	char path[64];

	snprintf(path, sizeof path, "%s/%d", (char *)directory, (int)gettid());
	call_blas();
	while (cpu_now_ns() < end) {
		int fd = open(path, O_CREAT | O_WRONLY, 0600);

		if (fd < 0 || close(fd) || unlink(path))
			exit(1);
	}
	call_blas();
	return NULL;
}

static void lock_directory(void)
{
	char directory[] = "/tmp/spins-XXXXXX";
	pthread_t thread;

	if (!mkdtemp(directory) || pthread_create(&thread, NULL, make_files, directory))
		exit(1);
	make_files(directory);
	pthread_join(thread, NULL);
	rmdir(directory);
}

static void meet(void)
{
	pthread_t threads[THREADS];

	atomic_store(&ended, 0);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)(intptr_t)i))
			exit(1);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static const struct {
	const char *name;
	void (*run)(void);
	void (*wait)(int number);
} kinds[] = {
	{"pause", meet, wait_with_pause}, {"poll", meet, wait_by_polling},
	{"lock", meet, wait_for_lock},	  {"yield", meet, wait_by_yielding},
	{"gpu", meet, wait_for_gpu},	  {"omp", run_openmp, NULL},
	{"critical", run_openmp, NULL},	  {"serial", run_openmp, NULL},
	{"tasks", run_openmp, NULL},	  {"pool", use_pool, NULL},
	{"work", work_in_loops, NULL},	  {"files", lock_directory, NULL},
};

int main(int argc, char **argv)
{
	wanted_ns = (int64_t)((argc > 1 ? atof(argv[1]) : 1) * 1e9);
	memset(text, 'a', BYTES - 2);
	text[BYTES - 2] = 'b';
	memcpy(copy, text, BYTES);
	for (int i = 0; i < 2 * THREADS; i++)
		atomic_flag_test_and_set(&locks[i / THREADS][i % THREADS]);
	for (int i = 2; i < argc; i++)
		for (size_t j = 0; j < sizeof kinds / sizeof *kinds; j++)
			if (!strcmp(kinds[j].name, argv[i])) {
				kind = argv[i];
				wait_for_others = kinds[j].wait;
				kinds[j].run();
			}
	return 0;
}
