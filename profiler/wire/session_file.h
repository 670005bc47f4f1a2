/* session_file.h: opens a session directory and its files, if they can be trusted. */
/* SPDX-License-Identifier: MIT */
#ifndef WIRE_SESSION_FILE_H
#define WIRE_SESSION_FILE_H

#include <stdint.h>

#include "wire/layout.h"

/* The path of the directory comes from the environment, which anybody may have set. The functions
 * that open or read return a descriptor or 0, or -1 with an unspecified errno. */

/* Returns 1 if the path is a directory of the effective user without access for other users. */
int session_path_is_private(const char *path);
/* Opens such a directory; the path must not be a symbolic link. */
int session_directory_open(const char *path);
/* Opens a file of the directory, with the given flags and some more. It must be a regular file of
 * the effective user, without other links and without access for other users. Sets *bytes to its
 * size. */
int session_file_open(int directory, const char *name, int flags, uint64_t *bytes);
/* Reads and checks the control file. Sets errno to EPROTO if its size or a value is wrong, as in
 * the file of another version. */
int session_file_read(int directory, struct session *session);
/* Records that the process (0: all of the session) was stopped at since_ns (CLOCK_MONOTONIC), or if
 * since_ns is 0 that it was continued now, unless that is known. */
void session_note_stop(const char *path, int32_t pid, int64_t since_ns);
/* Records that the profiler will look for stops until then. Must come before the first stop. */
void session_note_look(const char *path, int64_t until_ns);
/* Returns how long the process was stopped in the interval (CLOCK_MONOTONIC), or -1 if the profiler
 * was stopped or delayed in it, and has not looked since. Opens files. */
int64_t session_stopped_ns(const char *path, int32_t pid, int64_t from_ns, int64_t to_ns);
/* Returns how many seccomp filters /proc shows for this thread; 1 for any before Linux 5.9. */
int seccomp_filters(void);

#endif
