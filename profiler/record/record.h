/* record.h: one recording: runs a command under the preload library and the sampler and returns the
 * run, also from a session that was left behind. */
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

/* Changes to the program's times while it runs. */
enum what_if {
	WHAT_IF_UNITS, /* the most threads inside BLAS at once, first come, first served */
	WHAT_IF_BLAS,  /* factor by which each call takes longer */
	WHAT_IF_OTHER, /* factor by which each gap between calls takes longer */
	WHAT_IFS,
};
extern const char *const what_if_names[WHAT_IFS]; /* "units", "blas", "other" */

struct record_options {
	int rate_hz;	   /* 0: no sampling */
	const char *event; /* sampling event, or NULL for the default */
	enum call_graph call_graph;
	int stack_bytes;	  /* copied with each sample for CALL_GRAPH_DWARF; 0: the default */
	const char *counted;	  /* events to count, for event_list_parse(), or NULL */
	int threads_requested;	  /* 0 if the program chooses */
	double what_if[WHAT_IFS]; /* at least 1; 0: no change */
	const char *roi;	  /* NULL or "blas", "process", or the name of a marked region */
	const char *work;  /* NULL or "flops"; "steps" for progress marks; or a regular expression
			    * with one group to match in the program's standard output */
	int uprobes;	   /* 1: use uprobes to count BLAS calls if nothing can be preloaded */
	int follow;	   /* enum follow_kind (wire/layout.h): whose calls count */
	int spans;	   /* number of timeline entries kept of each thread; 0: no timeline */
	int is_last;	   /* 1: no later run needs blasprof's own standard input and output */
	int writes_output; /* 1: the report goes to blasprof's standard output */
	const char *store_option; /* "-i x.db" for messages; NULL: the default store */
};

/* Runs argv (NULL-terminated; searched in PATH like a shell does) without touching its stdin,
 * stdout, stderr and signals. Initialises *run, which the caller frees in every case. On
 * LAUNCH_DONE the records are still in *session: call session_remove() once the run is stored,
 * otherwise record_leave(), and then launch_end() to restore the signal handlers. On any other
 * result *session is closed and *err is set; nothing ran then (or, for LAUNCH_FAILED, *err says
 * what was lost). */
enum launch_result record_run(const struct record_options *options, char *const argv[],
			      struct run *run, struct session_dir *session, struct error *err);
/* Closes the session of a run that cannot be stored now. Changes the remedy of *err to say how to
 * store the run after doing what `before` says. Does nothing if the session has no calls. */
void record_leave(const struct record_options *options, struct session_dir *session,
		  const char *before, struct error *err);

/* Returns the command line as one string, with quotes where a shell needs them. */
const char *command_join(char *const argv[]);

/* Returns the same with {} in place of the argument that is `threads`. If several are, it takes the
 * first of those that rank highest: of an option about threads ("--threads 4", "--threads=4", "-t
 * 4" or "-t4"), not after an option ("./train 4"), of a variable ("env OMP_NUM_THREADS=4"). If none
 * is, because the count was set in another way, it returns the command itself. */
const char *experiment_name(char *const argv[], int threads);

/* Returns the number of threads that the run was seen to have (see account_run()), or 0 if nothing
 * was seen. If more threads took turns, a count that the command names is theirs: sets
 * run->threads_awake to it. */
int experiment_threads(char *const argv[], struct run *run);

/* Writes the run as it is now, with its command, into the session directory. Returns 0, or -1 with
 * *err. */
int description_save(const struct session_dir *session, const char *work, char *const argv[],
		     struct run *run, struct error *err);

/* watch.c */
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

/* A session directory that was left behind. */
struct left_session {
	char path[256];
	char started[32];    /* UTC, as in struct run; "" if unknown */
	const char *command; /* "" if unknown */
	pid_t running;	     /* a process of it that still runs, or 0 */
};
/* Finds all sessions of this user whose profiler does not run any more, in no particular order.
 * The caller frees the array. */
void left_sessions_find(struct left_session **sessions, size_t *count);

/* Makes a run of the session in that directory, with all calls that returned. Samples, exit status
 * and the time of the end are lost, and a note says so. Initialises *run, which the caller frees in
 * every case; its experiment is named by experiment_name(). Returns -1 with *err if the directory
 * is no session, or if the profiler or a process of the session still runs. The directory stays. */
int session_recover(const char *path, struct run *run, struct error *err);
/* Removes the directory. Returns 0, or -1 with *err if it is no session that may be removed. */
int session_discard(const char *path, struct error *err);

#endif
