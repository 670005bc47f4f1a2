/* roi.c: programs that do more than BLAS calls, for roi-test.sh. */
/* SPDX-License-Identifier: MIT
 *
 * roi stray N: a call and 100 ms of other work; then N threads share 400 calls, and the main thread
 * makes one more call and ends with 50 ms of other work; roi tail N: likewise, but with 700 ms.
 * roi late: 800 ms of other work and then a call; roi soon: a call and then 400 ms of other work.
 * roi beside N: one thread makes calls, and the others compute for the same time.
 * roi ahead N: 40 ms of calls and 400 ms of other work, by the same thread or by two.
 * roi uneven N: thread i makes i + 1 times as many calls; all but the first 100 after the thread
 * before it has ended.
 * roi forks N: like stray, but with N child processes that make 100 calls each.
 * roi pool N: calls between parallel loops of OpenMP.
 * roi again: 300 calls, and then exec of the same program, which makes 300 calls, so that the exec
 * takes a small part of the time on a busy machine, too.
 * roi marked: a region with 300 ms of other work, at first 0.5 ms each time, and then 200 calls.
 * All times are CPU time; stray, forks and soon print in ms what they used at first, and beside the
 * share of the calls and what it used in all: more than planned if the host stops this machine.
 */
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/wait.h>

#include "blasprof.h"
#include "tests/shim/truth_blas.h"
#include "tests/shim/truth_burn.h"

static int count;
static double called_ms; /* in calls of the only thread that calls */

static double thread_ms(void)
{
	return (double)clock_now_ns(CLOCK_THREAD_CPUTIME_ID) * 1e-6;
}

static void call_ms(double ms)
{
	cblas_sgemm(101, 111, 111, 1, 1, 1, (float)(ms * 1e6), NULL, 1, NULL, 1, 0, NULL, 1);
}

/* Each call takes 1 ms including other work, half of it in BLAS. Returns the ms in calls. */
static double call_often(int times)
{
	double ms = 0;

	for (int i = 0; i < times; i++) {
		double begun = thread_ms();

		call_ms(0.5);
		ms += thread_ms() - begun;
		compute_ms(0.5);
	}
	return ms;
}

static void print_used_ms(void)
{
	printf("%.1f\n", (double)clock() * 1e3 / CLOCKS_PER_SEC);
	fflush(stdout);
}

static void *share_calls(void *thread)
{
	call_often(400 / count);
	return NULL;
}

/* The first thread makes calls, and the others start when it has, so that all their work is inside
 * the region. */
static void begin_with_calls(long thread)
{
	static sem_t has_called;

	if (thread) {
		sem_wait(&has_called);
		return;
	}
	called_ms += call_often(20);
	for (int i = 1; i < count; i++)
		sem_post(&has_called);
}

static void *call_or_compute(void *thread)
{
	begin_with_calls((long)thread);
	if ((long)thread)
		compute_ms(200);
	else
		called_ms += call_often(180);
	return NULL;
}

static void *call_ahead(void *thread)
{
	begin_with_calls((long)thread);
	if (!(long)thread)
		call_often(20);
	if ((long)thread == count - 1)
		compute_ms(400);
	return NULL;
}

/* The second half of the calls is made by one thread at a time, however many CPUs there are. */
static void *call_unevenly(void *thread)
{
	static sem_t ended[64];
	long number = (long)thread;

	call_often(100);
	if (number) {
		sem_wait(&ended[number - 1]);
		call_often(100 * (int)number);
	}
	sem_post(&ended[number]);
	return NULL;
}

static void run_threads(void *(*work)(void *thread))
{
	pthread_t threads[64];

	for (long i = 0; i < count && i < 64; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)i))
			exit(1);
	for (long i = 0; i < count && i < 64; i++)
		pthread_join(threads[i], NULL);
}

static void run_children(void)
{
	for (int i = 0; i < count; i++)
		if (!fork()) {
			call_often(100);
			exit(0);
		}
	while (wait(NULL) > 0)
		;
}

static void run_pool(void)
{
	for (int step = 0; step < 40; step++) {
		call_ms(2);
#pragma omp parallel for num_threads(count) schedule(static)
		for (int i = 0; i < 2; i++)
			compute_ms(5);
	}
}

static void begin_marked(void)
{
	for (int i = 0; i < 100; i++) {
		blasprof_region_begin("marked");
		compute_ms(0.5);
		blasprof_region_end("marked");
	}
	blasprof_region_begin("marked");
	compute_ms(250);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	count = argc > 2 ? atoi(argv[2]) : 1;
	if (!strcmp(what, "late"))
		compute_ms(800);
	if (!strcmp(what, "soon"))
		print_used_ms();
	if (!strcmp(what, "marked"))
		begin_marked();
	call_ms(0.01);
	if (!strcmp(what, "soon"))
		compute_ms(400);
	if (!strcmp(what, "stray") || !strcmp(what, "tail") || !strcmp(what, "forks")) {
		compute_ms(100);
		print_used_ms();
	}
	if (!strcmp(what, "stray") || !strcmp(what, "tail"))
		run_threads(share_calls);
	if (!strcmp(what, "beside")) {
		run_threads(call_or_compute);
		printf("%.4f ", called_ms * 1e-3 * CLOCKS_PER_SEC / (double)clock());
		print_used_ms();
	}
	if (!strcmp(what, "ahead"))
		run_threads(call_ahead);
	if (!strcmp(what, "uneven"))
		run_threads(call_unevenly);
	if (!strcmp(what, "forks"))
		run_children();
	if (!strcmp(what, "again") || !strcmp(what, "last"))
		call_often(300);
	if (!strcmp(what, "again"))
		execl(argv[0], argv[0], "last", (char *)NULL);
	if (!strcmp(what, "pool"))
		run_pool();
	if (!strcmp(what, "marked")) {
		call_often(200);
		blasprof_region_end("marked");
	}
	if (!strcmp(what, "stray")) {
		call_ms(0.01);
		compute_ms(50);
	}
	if (!strcmp(what, "tail"))
		compute_ms(700);
	return 0;
}
