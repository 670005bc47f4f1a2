/* launch.h: starts the command and waits for its end; finds out what kind of program it is and
 * which MPI rank this is, and reads the command's output. */
/* SPDX-License-Identifier: MIT */
#ifndef LAUNCH_LAUNCH_H
#define LAUNCH_LAUNCH_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "store/run.h"

enum launch_result {
	LAUNCH_DONE,	     /* the command runs, or ran and ended */
	LAUNCH_FAILED = 125, /* blasprof itself failed; this and the others are exit statuses */
	LAUNCH_CANNOT_RUN = 126,
	LAUNCH_NOT_FOUND = 127,
};

struct launch {
	pid_t child;
	int go;			      /* write end: one byte lets the child exec */
	int failed;		      /* read end: the errno of a failed exec, or end of file */
	int64_t started_ns, ended_ns; /* CLOCK_MONOTONIC: at exec, after the command's end */
	int64_t cpu_ns; /* of the command, and of those of its children that it waited for */
	int status;	/* as waitpid() returns it */
};

/* What to run and how. */
struct launch_plan {
	char *const *argv;
	const char *shim;    /* library to preload, or NULL */
	const char *session; /* named in the environment if there is a shim */
	int output;	     /* file descriptor for the standard output; -1: blasprof's own */
	int is_last;	     /* 1: blasprof runs no other command after this one */
};

/* Ignores SIGXFSZ and SIGPIPE from now on, so that writes over the limit on file sizes or to a
 * closed pipe fail instead of ending blasprof, and does not ignore SIGCHLD. The command gets the
 * original handlers. launch_prepare() calls it as well. */
void launch_set_signals(void);
/* Keeps signals that would end blasprof and leave the session's files, until launch_go() has
 * installed its handlers, or until their release. */
void launch_hold_signals(void);
void launch_release_signals(void);
/* Notes the descriptors that blasprof was started with: call it before it opens any. */
void launch_note_files(void);
/* Lets go of standard input, the noted descriptors and, unless it is still needed, standard output:
 * only the command has them now, so that who is at the other end sees when it closes them. Call it
 * after the last fork of a command. Does nothing without launch_note_files(), or if blasprof holds
 * locks of its parent's program, which closing a file would end. */
void launch_release_files(int needs_output);
/* Lets go of standard output, likewise. */
void launch_release_output(void);
/* Forks a child that waits for launch_go() to exec the command. Returns 0, or -1 with *err. */
int launch_prepare(struct launch *launch, const struct launch_plan *plan, struct error *err);
/* Ends the child instead of calling launch_go(). */
void launch_cancel(struct launch *launch);
/* Lets the child exec. Returns LAUNCH_DONE, or another result with *err after reaping the child. */
enum launch_result launch_go(struct launch *launch, const char *command, struct error *err);
/* Waits for the command's end. From launch_go() until launch_end(), signals that would end blasprof
 * only affect the command: they are forwarded to it if it does not get them anyway. The caller's
 * own handlers for these signals are called as well. If the command stops by a signal of the
 * terminal, or while a shell waits for it, blasprof stops with it. */
void launch_wait(struct launch *launch);
/* Returns 1 while the command runs; async-signal-safe. */
int launch_is_running(void);
/* Restores the signal handlers. Call it after the run is stored, because the signals of a time
 * limit may arrive several times. */
void launch_end(void);
/* Starts a thread in which all signals are blocked. Returns 0 or an errno. */
int launch_thread(pthread_t *thread, void *(*run)(void *data), void *data);

/* Starts a process in the same process group that blocks all signals. Call it after the command's
 * fork. */
void sentinel_start(void);
/* Returns 1 if the signal was sent to that process as well since it was last asked, so that all of
 * the group have got it, 0 if not, or -1 if the process is gone. Async-signal-safe. */
int sentinel_got(int number);
void sentinel_end(void);

/* Finds the entry for LD_PRELOAD: the library that was built or installed with the program. If it
 * has directories for each kind of program (shim/kinds.sh), the entry lets the loader choose, and
 * programs of other kinds run without the library. Returns 0, or -1 with *err. */
int preload_find(char *entry, size_t size, struct error *err);

/* Finds the file that is finally executed for the command, by PATH and through the interpreters of
 * scripts. Returns 0, or -1 if it cannot be found or read. `path` must have PATH_MAX bytes. */
int target_find(const char *command, char *path, size_t size);

/* Returns 1 if the command exists but its script interpreter or program loader does not; the path
 * goes to `missing`. */
int target_lacks(const char *command, char *missing, size_t size);

/* Inspects the program that target_find() finds for the command, and adds a note to the run if
 * preloading cannot work: static_program, setuid_program, foreign_program or musl_program. Adds
 * none if the program cannot be found or read, because running it will fail with an error. */
void target_inspect(const char *command, struct run *run);

/* Adds the fact "program": a hash of the contents of the command and of the programs and scripts
 * among its first arguments, so that runs of a program before and after a change differ. */
void target_add_version(char *const argv[], struct run *run);

struct rank {
	int number, size;     /* size 0: unknown */
	char job[128];	      /* the same in all ranks of the job, if the launcher tells; else "" */
	const char *launcher; /* "Open MPI" */
};

/* Reads the variables that MPI launchers set. Returns 1 if this is one of several ranks, else 0. */
int rank_find(struct rank *rank);

/* Returns name `index` of these variables, some of which have several, or ""; NULL after the last.
 */
const char *rank_variable(size_t index);

/* Passes on the command's standard output, and finds a number in it. */
struct output_tap;

/* Makes the tap for a POSIX extended regular expression whose first group is the number. A prefix
 * "rate=" means that the number is work per second, "amount=" that it is work. Without a prefix it
 * is a rate if the pattern contains "/s" or "per second". NULL, "flops" and "steps" are no
 * patterns: *tap becomes NULL. Returns 0, or -1 with *err if the expression is wrong or has no
 * group. */
int output_tap_open(struct output_tap **tap, const char *pattern, struct error *err);
/* Returns the file descriptor for the command's standard output. */
int output_tap_fd(const struct output_tap *tap);
/* Starts the thread that passes on the output; call it after the fork. With is_last, it calls
 * launch_release_output() in the end. Returns 0, or -1 with *err. */
int output_tap_start(struct output_tap *tap, int is_last, struct error *err);
/* Call it after the command's end. Returns 1 with the last number that matched, 0 if none did. */
int output_tap_finish(struct output_tap *tap, double *number, int *is_rate);
/* NULL is allowed. */
void output_tap_free(struct output_tap *tap);

#endif
