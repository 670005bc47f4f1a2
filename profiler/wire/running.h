/* running.h: which processes of a session still run. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_RUNNING_H
#define RECORD_RUNNING_H

#include <stdint.h>
#include <sys/types.h>

#include "wire/session.h"
#include "store/run.h"

/* 1 when the process that was there at that time (CLOCK_MONOTONIC) still runs: process numbers are
 * used again. What only waits to be reaped does not run. */
int process_still_runs(pid_t pid, int64_t seen_ns);
/* A process that has made calls in the session and still runs; 0: none. */
pid_t session_find_running(const struct session_dir *session);
/* Waits for those, and others of the session that have a BLAS library, when the command has ended:
 * at most some seconds, and not beyond a signal. Notes it when one runs on. */
void session_wait(const struct session_dir *session, struct run *run);

#endif
