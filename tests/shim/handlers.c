/* handlers.c: signals and forks while the preload library holds a lock or is in a slow path. */
/* SPDX-License-Identifier: MIT
 *
 * handlers WAY BLAS PLUGIN: prints how many calls the profile must show. PLUGIN's function calls a
 * routine that only the preload library finds, since BLAS is opened privately.
 *
 * This program replaces functions of the C library that the preload library calls, so that a signal
 * arrives, or another thread forks, exactly there.
 *   attach  a signal handler calls BLAS when a thread's first call is about to make its record
 *   lookup  the same while a library is noted, at the first call of a routine that dlsym() returned
 *   fork    another thread forks during a look-up, and the child looks up, too
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "find.h"

static sgemm routine;
static void (*plugin_call)(int calls);
static _Thread_local int signal_at_cancel, signal_at_lock, pause_at_lock;
static int reached[2], go_on[2];

static void call(int m)
{
	routine(101, 111, 111, m, 1, 1, 1, NULL, 1, NULL, 1, 0, NULL, 1);
}

static void handle(int number)
{
	call(2);
}

int pthread_setcancelstate(int state, int *old)
{
	static int (*next)(int state, int *old);

	if (!next)
		next = (int (*)(int, int *))find(RTLD_NEXT, "pthread_setcancelstate");
	if (signal_at_cancel) {
		signal_at_cancel = 0;
		raise(SIGUSR1);
	}
	return next(state, old);
}

/* Called as soon as a thread has a lock. */
static void have_lock(void)
{
	char byte = 0;

	if (signal_at_lock) {
		signal_at_lock = 0;
		raise(SIGUSR1);
	}
	if (pause_at_lock) {
		pause_at_lock = 0;
		if (write(reached[1], &byte, 1) != 1 || read(go_on[0], &byte, 1) != 1)
			_exit(1);
	}
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	static int (*next)(pthread_mutex_t * mutex);
	int result;

	if (!next)
		next = (int (*)(pthread_mutex_t *))find(RTLD_NEXT, "pthread_mutex_lock");
	result = next(mutex);
	have_lock();
	return result;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	static int (*next)(pthread_mutex_t * mutex);
	int result;

	if (!next)
		next = (int (*)(pthread_mutex_t *))find(RTLD_NEXT, "pthread_mutex_trylock");
	result = next(mutex);
	if (!result)
		have_lock();
	return result;
}

static void *call_at_first(void *nothing)
{
	signal_at_cancel = 1;
	call(1);
	return nothing;
}

static void *look_up(void *nothing)
{
	call(1); /* makes the thread's record, which takes locks, too */
	pause_at_lock = 1;
	plugin_call(1);
	return nothing;
}

/* The child has no thread that could release the lock. */
static void fork_while_looking_up(void)
{
	char byte = 0;
	pthread_t thread;
	pid_t child;
	int status;

	if (pipe(reached) || pipe(go_on) || pthread_create(&thread, NULL, look_up, NULL) ||
	    read(reached[0], &byte, 1) != 1)
		exit(1);
	child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* it may wait with all signals blocked */
		plugin_call(2);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status || write(go_on[1], &byte, 1) != 1)
		exit(1);
	pthread_join(thread, NULL);
}

static void attach_in_handler(void)
{
	pthread_t thread;

	call(1);
	if (pthread_create(&thread, NULL, call_at_first, NULL) || pthread_join(thread, NULL))
		exit(1);
}

static void look_up_in_handler(void)
{
	plugin_call(1);
	signal_at_lock = 1;
	call(1);
}

int main(int argc, char **argv)
{
	const char *way = argc == 4 ? argv[1] : "";

	alarm(30);
	signal(SIGUSR1, handle);
	if (argc != 4)
		return 2;
	routine = (sgemm)find(dlopen(argv[2], RTLD_NOW | RTLD_LOCAL), "cblas_sgemm");
	plugin_call = (void (*)(int))find(dlopen(argv[3], RTLD_NOW | RTLD_LOCAL), "plugin_call");
	if (!strcmp(way, "fork"))
		fork_while_looking_up();
	else if (!strcmp(way, "lookup"))
		look_up_in_handler();
	else
		attach_in_handler();
	puts(!strcmp(way, "fork") ? "4" : "3");
	return 0;
}
