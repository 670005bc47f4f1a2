/* files.h: system calls on files that are no cancellation points. */
/* SPDX-License-Identifier: MIT
 *
 * glibc's own open(), read() and close() let a thread be cancelled by a signal that is on its way,
 * even with cancellation disabled, and the thread would then keep the shim's lock for ever. They
 * set errno as glibc's do.
 */
#ifndef WIRE_FILES_H
#define WIRE_FILES_H

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static inline int file_open_at(int directory, const char *path, int flags, mode_t mode)
{
	return (int)syscall(SYS_openat, directory, path, flags, mode);
}

static inline int file_open(const char *path, int flags)
{
	return file_open_at(AT_FDCWD, path, flags, 0);
}

static inline ssize_t file_read(int fd, void *buffer, size_t size)
{
	return syscall(SYS_read, fd, buffer, size);
}

/* Does nothing for a descriptor below 0. */
static inline void file_close(int fd)
{
	if (fd >= 0)
		syscall(SYS_close, fd);
}

#endif
