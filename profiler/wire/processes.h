/* processes.h: information about other processes from /proc, and the running processes of a
 * session.
 */
/* SPDX-License-Identifier: MIT */
#ifndef WIRE_PROCESSES_H
#define WIRE_PROCESSES_H

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "store/run.h"
#include "wire/session.h"

/* Opens /proc/PID/what for reading; NULL if the process has ended or is another user's. */
FILE *process_open(pid_t pid, const char *what);
/* Reads the name of the process's main thread; "" if there is no such process. */
void process_name(pid_t pid, char *name, size_t size);
/* Returns 1 if the variable in the process's initial environment contains the text. */
int process_environment_has(pid_t pid, const char *variable, const char *text);

struct process_libraries {
	char blas[256]; /* file name of a mapped BLAS library; "": none with a known name */
	int has_shim;	/* 1: the preload library is mapped */
};
void process_libraries(pid_t pid, struct process_libraries *libraries);

/* Returns the state of the process's main thread as in /proc/PID/stat: 'T' if it is stopped, 'Z'
 * also while it exits, since it leaves its control group before it is a zombie; 0 if there is no
 * such process. */
char process_state(pid_t pid);
/* Returns 1 if the process that started after after_ns and existed at seen_ns (CLOCK_MONOTONIC)
 * still runs, and the number has not been reused. A zombie does not run. */
int process_still_runs(pid_t pid, int64_t after_ns, int64_t seen_ns);
/* Returns 1 while the session's profiler runs: it holds a lock on the directory. */
int session_profiler_runs(const struct session_dir *session);
/* Returns the next process that has made calls in the session and still runs, 0 after the last; the
 * directory is session_list() or NULL. Processes of inner PID namespaces are left out. */
pid_t session_next_running(const struct session_dir *session, DIR *directory);
/* Returns the first one. */
pid_t session_find_running(const struct session_dir *session);
/* Waits, after the command has ended, for such processes and for others of the session that have a
 * BLAS library, but only for some seconds or until a signal. Adds a note if one still runs. */
void session_wait(const struct session_dir *session, struct run *run);

#endif
