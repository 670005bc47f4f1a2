/* program.c: a short program with the same calls and output in each run, in threads and a child. */
/* SPDX-License-Identifier: MIT
 *
 * program FILE: writes the name of its session directory to FILE. Makes 1000 calls, 100 calls of
 * other shapes, 100 in each of two successive threads, and 50 in a child. Prints a line for each
 * part and exits with status 7.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "blasprof.h"
#include "tests/shim/truth_blas.h"

static void call(int count, int m)
{
	for (int i = 0; i < count; i++)
		cblas_sgemm(101, 111, 111, m, 1, 1, 1000, NULL, 1, NULL, 1, 0, NULL, 1);
	printf("%d calls\n", count);
	fflush(stdout);
}

static void *call_in_thread(void *nothing)
{
	blasprof_region_begin("thread");
	call(100, 2);
	blasprof_region_end("thread");
	return nothing;
}

static void call_in_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		call(50, 4);
		exit(0);
	}
	waitpid(child, NULL, 0);
}

static void name_session(const char *path)
{
	const char *session = getenv("BLASPROF_SESSION");
	FILE *file = fopen(path, "w");

	if (!file)
		exit(1);
	fputs(session ? session : "", file);
	fclose(file);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	name_session(argv[1]);
	call(1000, 1);
	for (int i = 0; i < 100; i++)
		cblas_sgemm(101, 111, 111, 10 + i, 1, 1, 1, NULL, 1, NULL, 1, 0, NULL, 1);
	for (int i = 0; i < 2; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, call_in_thread, NULL))
			return 3;
		pthread_join(thread, NULL);
	}
	call_in_child();
	puts("end");
	return 7;
}
