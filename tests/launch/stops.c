/* stops.c: preloaded library that stops the process four times while blasprof reads its clocks,
 * before or after a system call that returns a thread's context switches; or, with STOPS_IN_LOOK,
 * its process group once while blasprof looks at the processes. */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int getrusage(int who, struct rusage *usage)
{
	static int calls;
	int stop, result;

	calls += who == RUSAGE_THREAD;
	stop = !getenv("STOPS_IN_LOOK") && who == RUSAGE_THREAD && calls % 101 == 0 &&
			       calls <= 4 * 101
		       ? calls / 101
		       : 0;
	if (stop == 2 || stop == 3)
		raise(SIGSTOP);
	result = (int)syscall(SYS_getrusage, who, usage);
	if (stop == 1 || stop == 4)
		raise(SIGSTOP);
	return result;
}

/* The profiler's thread that looks at processes lists the session directory, as no other does. */
static int is_session(DIR *directory)
{
	char link[40], path[256] = "";

	snprintf(link, sizeof link, "/proc/self/fd/%d", dirfd(directory));
	return gettid() != getpid() && readlink(link, path, sizeof path - 1) > 0 &&
	       strstr(path, "/blasprof-");
}

int closedir(DIR *directory)
{
	static int looks;
	int (*real)(DIR *) = (int (*)(DIR *))dlsym(RTLD_NEXT, "closedir");

	if (getenv("STOPS_IN_LOOK") && is_session(directory) && ++looks == 8) {
		kill(0, SIGSTOP);
		usleep(20000); /* until it reaches this thread */
	}
	return real(directory);
}
