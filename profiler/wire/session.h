/* session.h: the private directory for the shim's records, and the clock of their times. */
/* SPDX-License-Identifier: MIT */
#ifndef WIRE_SESSION_H
#define WIRE_SESSION_H

#include <dirent.h>
#include <stdint.h>
#include <sys/types.h>

#include "wire/layout.h"
#include "base/error.h"

/* What is known of the CPU's counter. Sessions use one of the first two kinds, which run at a
 * constant rate, and clock_gettime() otherwise. */
enum cpu_counter {
	COUNTER_TSC,
	COUNTER_CNTVCT, /* of Arm's generic timer */
	COUNTER_VARYING,
	COUNTER_DISTRUSTED, /* a TSC with a constant rate, but the kernel uses another clock */
	COUNTER_UNKNOWN,
};
/* Returns the kind of the machine whose /proc and /sys are below `root` ("": this machine), and
 * copies the name of the kernel's clock source. The kernel shows CPUID's bit for an invariant TSC
 * as two flags. A hypervisor's clock source does not mean that the kernel distrusts the TSC. */
enum cpu_counter session_counter(const char *root, char *source, size_t size);

struct session_dir {
	char path[256];
	int fd;			/* of the directory; files are only opened relative to it */
	struct session control; /* what its control file has */
};

/* Creates the directory, with mode 0700 and a random name, and its control file: in
 * $BLASPROF_TMPDIR, or else in /dev/shm if it has room, else in $TMPDIR or /tmp, but never where
 * other users may rename it. The control file has the settings of *wanted; the other members are
 * set here. Returns 0, or -1 with *err. */
int session_create(struct session_dir *session, const struct session *wanted, struct error *err);
/* Writes to the control file the command's pid, its start time (now) and the clock's rate since
 * session_create(). Sleeps some milliseconds if the rate would be too inexact. Returns 0, or -1
 * with *err. */
int session_set_program(struct session_dir *session, pid_t program, struct error *err);
/* Opens the directory of another profiler. Close it with session_close() or session_remove().
 * Returns 0, or -1 with *err. */
int session_open(struct session_dir *session, const char *path, struct error *err);
void session_close(struct session_dir *session);
/* Lists the paths of everything that is named like a session directory in the places where they are
 * created, also of other users. The caller frees the array. Exits if memory is out, so do not call
 * it while recording. */
void session_paths(const char ***paths, size_t *count);
/* Returns a new stream of the directory, to be closed with closedir(), or NULL with errno set. */
DIR *session_list(const struct session_dir *session);
/* Returns the inode of the PID namespace of a process (0: this one), or 0 if not known. */
uint64_t process_space(pid_t pid);
/* Returns 1 if that is the caller's, or not known. */
int process_space_is_own(uint64_t space);
/* Removes the directory and everything in it. */
void session_remove(struct session_dir *session);

/* Converts the shim's ticks to CLOCK_MONOTONIC. The rate is that between the session's start and
 * session_clock_line(). */
struct clock_line {
	struct clock_pair from;
	double ns_per_tick;
};
struct clock_line session_clock_line(const struct session_dir *session);
int64_t clock_line_ns(const struct clock_line *line, uint64_t ticks);
/* Converts a duration. Both functions clamp to some years, as damaged files may hold any ticks. */
int64_t clock_line_span_ns(const struct clock_line *line, uint64_t ticks);

#endif
