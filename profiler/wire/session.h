/* session.h: the private directory in which the shim leaves its records, and the clock they are in.
 */
/* SPDX-License-Identifier: MIT */
#ifndef WIRE_SESSION_H
#define WIRE_SESSION_H

#include <dirent.h>
#include <stdint.h>
#include <sys/types.h>

#include "wire/layout.h"
#include "base/error.h"

/* One moment on both clocks. */
struct clock_pair {
	uint64_t ticks;
	int64_t monotonic_ns;
};

struct session_dir {
	char path[256];
	int fd;		/* of the directory: its files are reached by this only */
	uint32_t clock; /* enum clock_kind */
	struct clock_pair begun;
	double ns_per_tick; /* roughly, and well after session_set_program(): over some milliseconds
			     */
};

/* Makes the directory (mode 0700, a name nobody can guess; in memory where /dev/shm has room, else
 * in $TMPDIR or /tmp; nowhere where others may rename it) with its control file. That says what the
 * shim is asked to do, as *wanted does; the rest of it is set here. */
int session_create(struct session_dir *session, const struct session *wanted, struct error *err);
/* Tells the shim, and who recovers the session, which process the command is, that it starts now,
 * and the clock's rate as measured since session_create(): sleeps where that is some milliseconds
 * ago only. 0, or -1 with *err. */
int session_set_program(struct session_dir *session, pid_t program, struct error *err);
/* Opens the directory of a profiler that is gone; its control file goes to *control. 0, or -1 with
 * *err. Close it with session_close() or session_remove(). */
int session_open(struct session_dir *session, const char *path, struct session *control,
		 struct error *err);
void session_close(struct session_dir *session);
/* The paths of all session directories that are where they are looked for, also other users' and
 * those that are none. Free with session_paths_free(). Not while something is recorded: where
 * memory is out, it ends blasprof. */
void session_paths(char ***paths, size_t *count);
void session_paths_free(char **paths, size_t count);
/* A fresh look at the directory, to be closed with closedir(); NULL with errno. */
DIR *session_list(const struct session_dir *session);
/* Inode of a process's PID namespace, in which its numbers hold ("self": of this one's); 0: not
 * known. */
uint64_t process_space(const char *process);
/* Removes the directory and all in it. */
void session_remove(struct session_dir *session);

/* Converts the shim's ticks to CLOCK_MONOTONIC, by the session's first moment and the present one.
 */
struct clock_line {
	struct clock_pair from;
	double ns_per_tick;
};
struct clock_line session_clock_line(const struct session_dir *session);
int64_t clock_line_ns(const struct clock_line *line, uint64_t ticks);
/* The length of a duration in ticks. Both keep within some years, whatever the ticks. */
int64_t clock_line_span_ns(const struct clock_line *line, uint64_t ticks);

#endif
