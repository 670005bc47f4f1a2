/* session_file.h: looks at the session directory and its control file before anything in them is
 * trusted. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_SESSION_FILE_H
#define SHIM_SESSION_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "wire/layout.h"

/* The name of the directory comes from the environment, where anybody may have put it. All that
 * return int: a descriptor or 0, or -1 with no sense in errno. */

/* 1 when the name is that of a directory of the effective user that is closed to all others. */
int session_path_is_private(const char *path);
/* Opens the directory: no symbolic link, owned by the effective user, closed to all others. */
int session_directory_open(const char *path);
/* Opens a file of the directory with these flags besides: a regular one of the effective user, with
 * no other name, and neither to be written nor read by others. Its size goes to *bytes. */
int session_file_open(int directory, const char *name, int flags, uint64_t *bytes);
/* Reads the control file. It has its exact size, and each number is one that the profiler writes:
 * where not, errno is EPROTO, for another version of the profiler wrote it. */
int session_file_read(int directory, struct session *session);
/* Notes that the command is stopped from now on, or runs again; a signal handler may call it. */
void session_note_stop(const char *path, int is_stopped);
/* 1 where a seccomp filter is in force in this process, as /proc says. */
int seccomp_is_on(void);
/* For how long of this time, CLOCK_MONOTONIC, it was stopped. Opens files. */
int64_t session_stopped_ns(const char *path, int64_t from_ns, int64_t to_ns);

#endif
