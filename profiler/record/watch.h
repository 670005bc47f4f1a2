/* watch.h: looks at the processes of a session while they run. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_WATCH_H
#define RECORD_WATCH_H

#include <sys/types.h>

#include "store/run.h"
#include "wire/session.h"

struct watch;

/* The largest CPU quota of the processes when they were last looked at, in CPUs; INFINITY: none;
 * -1: no process was seen. With it, machine_throttled_ns() of that process since the quota is
 * known. */
struct watch_quota {
	double cpus, throttled_first_ns, throttled_last_ns;
};

/* Starts a thread that looks, some ten times a second, at the processes that have made calls. It
 * notes in the session which of them are stopped, and reads their quotas. It also
 * looks at the command and its descendants for one that does not see the session directory and,
 * with finds_unseen, one that uses BLAS without the preload library, at increasing intervals, so
 * that it may miss processes that live for less than some hundredths of a second. Returns NULL if
 * no thread can be started. */
struct watch *watch_start(const struct session_dir *session, pid_t command, int finds_unseen);
/* Ends the thread and notes the first such processes (session_hidden, process_not_intercepted).
 * `watch` may be NULL. */
struct watch_quota watch_finish(struct watch *watch, struct run *run);

#endif
