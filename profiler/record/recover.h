/* recover.h: finds sessions whose profiler is gone, and makes runs of them. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_RECOVER_H
#define RECORD_RECOVER_H

#include <stddef.h>
#include <sys/types.h>

#include "record/description.h"
#include "store/run.h"
#include "base/error.h"

/* A session directory that was left behind. */
struct left_session {
	char path[256];
	char started[32]; /* UTC, as in struct run; "" where it is not known */
	char *command;	  /* owned; "" where it is not known */
	pid_t running;	  /* a process of it that still runs; 0: none */
};
/* All of this user, in no order; those of profilers that still run are left out. Free with
 * left_sessions_free(). */
void left_sessions_find(struct left_session **sessions, size_t *count);
void left_sessions_free(struct left_session *sessions, size_t count);

/* Makes the run of the session in that directory: all calls that returned; samples, exit status and
 * the moment of the end are lost, and a note says so. *run is initialised here and is to be freed
 * in every case; its experiment is the command as it was. *description (free it with
 * description_free()) has the command's words. Refused with -1 and *err while the profiler or a
 * process of the session still runs, and for what is no session. The directory stays. */
int session_recover(const char *path, struct run *run, struct description *description,
		    struct error *err);
/* Removes the directory. 0, or -1 with *err when it is no session that may be removed. */
int session_discard(const char *path, struct error *err);

#endif
