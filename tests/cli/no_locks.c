/* no_locks.c: preloaded library that simulates a file system without locks, like Lustre without the
 * option flock, or a crash while storing. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int refuse_locks(const char *name, int fd, int command, void *argument)
{
	const char *refused = getenv("NO_LOCKS");
	int (*real)(int fd, int command, ...);

	if (refused && (command == F_SETLK || command == F_SETLKW || command == F_GETLK)) {
		errno = atoi(refused);
		return -1;
	}
	*(void **)&real = dlsym(RTLD_NEXT, name);
	return real(fd, command, argument);
}

#define DEFINE(name)                                                                               \
	int name(int fd, int command, ...)                                                         \
	{                                                                                          \
		va_list list;                                                                      \
		void *argument;                                                                    \
                                                                                                   \
		va_start(list, command);                                                           \
		argument = va_arg(list, void *);                                                   \
		va_end(list);                                                                      \
		return refuse_locks(#name, fd, command, argument);                                 \
	}

#undef fcntl
DEFINE(fcntl)
DEFINE(fcntl64)

/* With NO_WAIT, waiting for a lock takes no time. */
int usleep(useconds_t us)
{
	int (*real)(useconds_t us);

	*(void **)&real = dlsym(RTLD_NEXT, "usleep");
	return getenv("NO_WAIT") ? 0 : real(us);
}

/* With DIE_AT_COMMIT, the program is killed when a transaction would end: when its journal is
 * removed. */
int unlink(const char *path)
{
	const char *end = strrchr(path, '-');
	int (*real)(const char *path);

	if (end && end - path > 5 && !strcmp(end - 5, "/x.db-journal") && getenv("DIE_AT_COMMIT"))
		kill(getpid(), SIGKILL);
	*(void **)&real = dlsym(RTLD_NEXT, "unlink");
	return real(path);
}
