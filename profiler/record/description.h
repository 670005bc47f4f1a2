/* description.h: keeps what is known of a run before it starts in its session directory. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_DESCRIPTION_H
#define RECORD_DESCRIPTION_H

#include "base/error.h"
#include "store/run.h"
#include "wire/session.h"

/* What the profiler knew besides the run; free with description_free(). */
struct description {
	char **argv; /* the command; NULL at the end */
	char *work;  /* as --work has it, or NULL */
};

/* Writes the run as it is, with its command, into the session directory. 0, or -1 with *err. */
int description_save(const struct session_dir *session, const char *work, char *const argv[],
		     struct run *run, struct error *err);
/* Reads it back into *run, which is initialised here and is to be freed in every case. 0, or -1
 * with *err and nothing to free in *description. */
int description_load(const struct session_dir *session, struct run *run,
		     struct description *description, struct error *err);
void description_free(struct description *description);

#endif
