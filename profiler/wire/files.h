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
#include <sys/stat.h>
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

/* As fstatat(). glibc has stat(), fstat() and fstatat() only since 2.33. */
static inline int file_status(int directory, const char *path, int flags, struct stat *status)
{
	return (int)syscall(SYS_newfstatat, directory, path, status, flags);
}

static inline int file_status_of(int fd, struct stat *status)
{
	return file_status(fd, "", AT_EMPTY_PATH, status);
}

/* Does nothing for a descriptor below 0. */
static inline void file_close(int fd)
{
	if (fd >= 0)
		syscall(SYS_close, fd);
}

#endif
