/* roots.c: lets programs that run below another root directory, or as another user, start without
 * this library if their loader could not find it there. */
/* SPDX-License-Identifier: MIT
 *
 * The loader prints an error for an entry of LD_PRELOAD that it cannot load, and goes on.
 */
#include "shim/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/dlsym.h"
#include "shim/objects.h"
#include "wire/files.h"

#define FILE_NAME "/libblasprof.so"

/* Writes into the environment's own memory, since setenv() is not safe while other threads run. The
 * loader skips empty entries. */
static void leave_preload(void)
{
	static const size_t bytes = sizeof FILE_NAME - 1;
	char *entry = getenv("LD_PRELOAD");

	while (entry && *entry) {
		size_t length = strcspn(entry, ": ");

		if (length >= bytes && !strncmp(entry + length - bytes, FILE_NAME, bytes))
			memset(entry, ':', length);
		entry += length + (entry[length] != '\0');
	}
}

void root_left(void)
{
	int saved = errno;
	struct object own;

	/* while the real user is another one, loaders preload nothing from a path, and say nothing
	 */
	if (!wall_stands() && getuid() == geteuid() &&
	    object_find((const void *)leave_preload, &own) &&
	    syscall(SYS_faccessat, AT_FDCWD, own.name, R_OK))
		leave_preload();
	errno = saved;
}

#define FORWARD(name, params, args)                                                                \
	static void *real_##name;                                                                  \
	static __attribute__((constructor)) void find_##name(void)                                 \
	{                                                                                          \
		dlsym_next(&real_##name, #name);                                                   \
	}                                                                                          \
	int name params __attribute__((visibility("default")));                                    \
	int name params                                                                            \
	{                                                                                          \
		int(*real) params = (int(*) params)dlsym_next(&real_##name, #name);                \
		int status = real args;                                                            \
                                                                                                   \
		if (!status)                                                                       \
			root_left();                                                               \
		return status;                                                                     \
	}

FORWARD(chroot, (const char *path), (path))
FORWARD(setns, (int fd, int type), (fd, type))
FORWARD(setuid, (uid_t user), (user))
FORWARD(setreuid, (uid_t real_user, uid_t user), (real_user, user))
FORWARD(setresuid, (uid_t real_user, uid_t user, uid_t saved), (real_user, user, saved))
