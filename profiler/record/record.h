/* record.h: one recording: runs a command under the preload library and the sampler, and brings
 * back the run, also of a session that was left behind. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "launch/launch.h"
#include "perf/event.h"
#include "store/run.h"
#include "wire/session.h"

/* How the program is changed to see what would be if (all zero: not at all). */
struct what_if {
	int units;    /* the most threads inside BLAS at once, first come first served */
	double blas;  /* factor by which each call takes longer; >= 1 */
	double other; /* factor by which each gap between calls takes longer; >= 1 */
};

struct record_options {
	int rate_hz;	   /* 0: no sampling */
	const char *event; /* sampling event, or NULL for the default */
	enum call_graph call_graph;
	int stack_bytes;     /* that each sample copies, by CALL_GRAPH_DWARF; 0: as many as usual */
	const char *counted; /* events to count, as event_list_parse() takes them; NULL: none */
	int threads_requested; /* 0: whatever the program uses */
	struct what_if what_if;
	const char *
		roi; /* NULL or "blas", "process", or the name of a region that the program marks */
	const char *work; /* NULL or "flops"; "steps": progress marks; else a regular expression
			   * with one group, matched in the program's standard output */
	int uprobes;	  /* 1: count the BLAS calls of what cannot be preloaded by uprobes */
	int follow;	  /* enum follow_kind (wire/layout.h): whose calls count */
	int spans;	  /* that each thread keeps of its timeline; 0: no timeline */
	const char *shim; /* path of libblasprof.so; NULL: beside the program, then PKGLIBDIR */
};

/* Runs argv (NULL-terminated; found by PATH like a shell does), its stdin, stdout, stderr and
 * signals untouched. *run is initialised here, and is to be freed by the caller in every case. On
 * LAUNCH_DONE its records are still there, in *session: session_remove() it when the run is stored,
 * or else record_leave() it, and then launch_end() gives the signals back. On any other result
 * *session is closed and *err says why; nothing ran then (or, for LAUNCH_FAILED, *err says what was
 * lost). */
enum launch_result record_run(const struct record_options *options, char *const argv[],
			      struct run *run, struct session_dir *session, struct error *err);
/* Closes the session of a run that cannot be stored now, and has the remedy of *err say how to
 * store it once what `before` says is done; where no calls are in it, does nothing. */
void record_leave(struct session_dir *session, const char *before, struct error *err);

/* The command line as one string, each argument quoted where a shell would need it. Fresh. */
char *command_join(char *const argv[]);

/* The same with the argument that is `threads` replaced by {}. Where several are, in this order:
 * one after an option about threads ("--threads 4", "-t 4", or "--threads=4"), one that follows no
 * option ("./train 4"), the first. Where none is (the count came from elsewhere), the command
 * itself. Fresh. */
char *experiment_name(char *const argv[], int threads);

/* How many threads the run was seen to have, by their roles: participants alive at once, and where
 * that is one, the BLAS workers besides. 0 where nothing was seen. */
int experiment_threads(const struct run *run);

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
