/* many.c: makes calls from very many processes or threads, and prints the number of calls that the
 * profile must show. */
/* SPDX-License-Identifier: MIT
 *
 * many calls N: N calls from the main thread. many children COUNT N: COUNT successive children,
 * each by fork and exec of this program with "calls N". many forks COUNT N: the same without exec.
 * many threads COUNT N: COUNT threads that are alive at the same time, with N calls each. many
 * turns COUNT N: COUNT successive threads with N calls each.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/shim/truth_blas.h"

#define STACK_BYTES (64 << 10)

static long count, calls;
static pthread_barrier_t all_alive;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void call(long times)
{
	for (long i = 0; i < times; i++)
		cblas_sgemm(101, 111, 111, 1, 1, 1, 1, NULL, 1, NULL, 1, 0, NULL, 1);
}

static void run_child(const char *self, const char *times)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		fail("fork");
	if (child == 0 && self) {
		execl(self, self, "calls", times, NULL);
		_exit(127);
	}
	if (child == 0) {
		call(calls);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status)
		fail("child");
}

static void *call_together(void *nothing)
{
	pthread_barrier_wait(&all_alive);
	call(calls);
	pthread_barrier_wait(&all_alive);
	return nothing;
}

static void *call_alone(void *nothing)
{
	call(calls);
	return nothing;
}

static pthread_t start(void *(*body)(void *))
{
	pthread_attr_t small;
	pthread_t thread;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK_BYTES);
	if (pthread_create(&thread, &small, body, NULL))
		fail("pthread_create");
	pthread_attr_destroy(&small);
	return thread;
}

static void run_threads(void)
{
	pthread_t *threads = calloc((size_t)count, sizeof *threads);

	if (!threads || pthread_barrier_init(&all_alive, NULL, (unsigned)count))
		fail("memory");
	for (long i = 0; i < count; i++)
		threads[i] = start(call_together);
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	count = argc > 3 ? atol(argv[2]) : 1;
	calls = argc > 2 ? atol(argv[argc - 1]) : 0;
	if (!strcmp(way, "calls"))
		call(calls);
	else if (!strcmp(way, "threads"))
		run_threads();
	for (long i = 0; i < count; i++) {
		if (!strcmp(way, "children"))
			run_child(argv[0], argv[argc - 1]);
		else if (!strcmp(way, "forks"))
			run_child(NULL, NULL);
		else if (!strcmp(way, "turns"))
			pthread_join(start(call_alone), NULL);
	}
	if (strcmp(way, "calls"))
		printf("%ld\n", count * calls);
	return 0;
}
