/* ends.c: makes calls and ends in every possible way. Every call that returned must be in the
 * record.
 */
/* SPDX-License-Identifier: MIT
 *
 * ends WAY CALLS: makes CALLS calls from one thread, then ends by WAY: exit, _exit, abort, kill,
 * segv, or one of these.
 *   thread      the calls come from a thread that is still alive at exit
 *   threads     each call comes from its own thread
 *   fork        a child makes as many calls, too
 *   shapes      each call has another m; exits with 3 if a call changes errno
 *   cancel      calls from a thread with a pending cancellation, then as many: no call acts on it
 *   stay        does not end by itself
 *   daemon      as many more calls from a process that nobody waits for, and that is idle at first
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth_blas.h"

static int calls;

static void call(int m)
{
	cblas_sgemm(101, 111, 111, m, 1, 1, 1, NULL, 1, NULL, 1, 0, NULL, 1);
}

static void call_all(void)
{
	for (int i = 0; i < calls; i++)
		call(1);
}

static void *call_once_thread(void *nothing)
{
	call(1);
	return nothing;
}

static void *stay_thread(void *barrier)
{
	call_all();
	pthread_barrier_wait(barrier);
	for (;;)
		pause();
	return NULL;
}

static void stay(void)
{
	static pthread_barrier_t barrier;
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	if (!pthread_create(&thread, NULL, stay_thread, &barrier))
		pthread_barrier_wait(&barrier);
}

static void call_from_threads(void)
{
	for (int i = 0; i < calls; i++) {
		pthread_t thread;

		if (!pthread_create(&thread, NULL, call_once_thread, NULL))
			pthread_join(thread, NULL);
	}
}

static void *call_all_cancelled(void *nothing)
{
	pthread_cancel(pthread_self());
	call_all();
	pthread_testcancel();
	return nothing;
}

/* If the thread ended inside the preload library, the calls after it would wait forever. */
static void call_from_cancelled(void)
{
	pthread_t thread;
	void *result;

	alarm(60);
	if (pthread_create(&thread, NULL, call_all_cancelled, NULL))
		return;
	pthread_join(thread, &result);
	if (result == PTHREAD_CANCELED)
		call_all();
}

static void fork_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		call_all();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void leave_daemon(void)
{
	if (fork())
		return;
	setsid();
	clearenv();
	usleep(400000);
	call_all();
	_exit(0);
}

/* The stand-in BLAS does not change errno. */
static void call_shapes(void)
{
	for (int i = 0; i < calls; i++) {
		errno = 77;
		call(i + 1);
		if (errno != 77)
			exit(3);
	}
}

int main(int argc, char **argv)
{
	const char *way = argc > 2 ? argv[1] : "";

	calls = argc > 2 ? atoi(argv[2]) : 0;
	if (!strcmp(way, "thread"))
		stay();
	else if (!strcmp(way, "threads"))
		call_from_threads();
	else if (!strcmp(way, "cancel"))
		call_from_cancelled();
	else if (!strcmp(way, "shapes"))
		call_shapes();
	else
		call_all();
	if (!strcmp(way, "fork"))
		fork_child();
	if (!strcmp(way, "daemon"))
		leave_daemon();
	if (!strcmp(way, "stay"))
		for (;;)
			pause();
	if (!strcmp(way, "_exit"))
		_exit(7);
	if (!strcmp(way, "abort"))
		abort();
	if (!strcmp(way, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(way, "segv"))
		kill(getpid(), SIGSEGV);
	return 0;
}
