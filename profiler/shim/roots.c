/* roots.c: lets programs that run below another root directory start without this library, which
 * their loader could not find there. */
/* SPDX-License-Identifier: MIT
 *
 * The loader prints an error for an entry of LD_PRELOAD that it cannot load, and goes on.
 */
#include "shim/shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "shim/dlsym.h"
#include "shim/objects.h"

#define FILE_NAME "/libblasprof.so"

static int (*real_chroot)(const char *path);

static __attribute__((constructor)) void find_chroot(void)
{
	__atomic_store_n((void **)&real_chroot, dlsym_real(RTLD_NEXT, "chroot"), __ATOMIC_RELEASE);
}

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

int chroot(const char *path) __attribute__((visibility("default")));
int chroot(const char *path)
{
	int saved = errno, status;
	struct object own;
	struct stat file;

	if (!__atomic_load_n((void **)&real_chroot, __ATOMIC_ACQUIRE))
		find_chroot();
	if (!real_chroot) {
		errno = ENOSYS;
		return -1;
	}
	status = real_chroot(path);
	if (status)
		return status;
	if (!wall_stands() && object_find((const void *)leave_preload, &own) &&
	    stat(own.name, &file))
		leave_preload();
	errno = saved;
	return 0;
}
