/* roots.c: lets programs that run below another root directory, or as another user, start without
 * this library if their loader could not find it there. */
/* SPDX-License-Identifier: MIT
 *
 * The loader prints an error for an entry of LD_PRELOAD that it cannot load, and goes on.
 */
#include "shim/shim.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/dlsym.h"
#include "shim/objects.h"
#include "wire/files.h"

#define FILE_NAME "/libblasprof.so"

/* What was left out last, and where, in case that the program returns: it may pass through other
 * root directories. */
static char left_name[4096], *left_at;

/* Writes into the environment's own memory, since setenv() is not safe while other threads run. The
 * loader skips empty entries. */
static void change_preload(char *const *environment, int is_lost)
{
	static const char variable[] = "LD_PRELOAD=";
	static const size_t bytes = sizeof FILE_NAME - 1, name_bytes = sizeof variable - 1;

	for (; environment && *environment; environment++) {
		char *entry = *environment;

		if (strncmp(entry, variable, name_bytes))
			continue;
		for (entry += name_bytes; *entry; entry += *entry != '\0') {
			size_t length = strcspn(entry, ": "), left = strlen(left_name);

			if (is_lost && length >= bytes && length < sizeof left_name &&
			    !strncmp(entry + length - bytes, FILE_NAME, bytes)) {
				memcpy(left_name, entry, length);
				left_name[length] = '\0';
				left_at = memset(entry, ':', length);
			} else if (!is_lost && entry == left_at && strspn(entry, ":") >= left) {
				length = left;
				memcpy(entry, left_name, length);
			}
			entry += length;
		}
	}
}

static int was_lost; /* so that each exec asks again: this may be a child that shares its memory */

void root_left(char *const *environment)
{
	KEEP_ERRNO;
	struct object own;

	/* while the real user is another one, loaders preload nothing from a path, and say nothing
	 */
	if (!wall_stands() && getuid() == geteuid() &&
	    object_find((const void *)change_preload, &own)) {
		int is_lost = syscall(SYS_faccessat, AT_FDCWD, own.name, R_OK) != 0;

		if (is_lost || was_lost)
			change_preload(environment, is_lost);
		was_lost |= is_lost;
	}
}

/* The program may have copied its environment before. */
FIND_AT_START(execve)
EXPORT int execve(const char *path, char *const arguments[], char *const environment[])
{
	if (was_lost)
		root_left(environment);
	return NEXT(execve)(path, arguments, environment);
}

#define FORWARD(name, params, args)                                                                \
	FIND_AT_START(name)                                                                        \
	EXPORT int name params                                                                     \
	{                                                                                          \
		int status = NEXT(name) args;                                                      \
                                                                                                   \
		if (!status)                                                                       \
			root_left(environ);                                                        \
		return status;                                                                     \
	}

FORWARD(chroot, (const char *path), (path))
FORWARD(setns, (int fd, int type), (fd, type))
FORWARD(setuid, (uid_t user), (user))
FORWARD(setreuid, (uid_t real_user, uid_t user), (real_user, user))
FORWARD(setresuid, (uid_t real_user, uid_t user, uid_t saved), (real_user, user, saved))
