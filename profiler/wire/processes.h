/* processes.h: what /proc says of other processes, and which of a session's still run. */
/* SPDX-License-Identifier: MIT */
#ifndef WIRE_PROCESSES_H
#define WIRE_PROCESSES_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "store/run.h"
#include "wire/session.h"

/* Its file of that name, for reading; NULL: it has ended, or is another user's. */
FILE *process_open(pid_t pid, const char *what);
/* Its first thread's name; "" where there is none. */
void process_name(pid_t pid, char *name, size_t size);
/* 1 where the variable, as the process was started, is this or, with `part`, has this in it. */
int process_environment_has(pid_t pid, const char *variable, const char *text, int part);

struct process_libraries {
	char blas[256]; /* file name of a BLAS library that is mapped; "": none of a known name */
	int has_shim;	/* 1: the preload library is */
};
void process_libraries(pid_t pid, struct process_libraries *libraries);

/* 1 when the process that was there at that time, and had begun after the other (CLOCK_MONOTONIC),
 * still runs: process numbers are used again, and mean others in another namespace. What only waits
 * to be reaped does not run. */
int process_still_runs(pid_t pid, int64_t after_ns, int64_t seen_ns);
/* 1 while the session's profiler runs: it holds a lock on the directory. */
int session_profiler_runs(const struct session_dir *session, const struct session *control);
/* A process that has made calls in the session and still runs; 0: none. */
pid_t session_find_running(const struct session_dir *session);
/* Waits for those, and others of the session that have a BLAS library, when the command has ended:
 * at most some seconds, and not beyond a signal. Notes it when one runs on. */
void session_wait(const struct session_dir *session, struct run *run);

#endif
