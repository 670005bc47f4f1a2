/* launch.h: starts the command and waits for its end; what kind of program it is, which MPI rank,
 * what it prints. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_LAUNCH_H
#define RECORD_LAUNCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "store/run.h"

enum launch_result {
	LAUNCH_DONE,	     /* the command runs, or ran and ended */
	LAUNCH_FAILED = 125, /* blasprof itself failed: exit status to use */
	LAUNCH_CANNOT_RUN = 126,
	LAUNCH_NOT_FOUND = 127,
};

struct launch {
	pid_t child;
	int go;			      /* write end: one byte lets the child exec */
	int failed;		      /* read end: the errno of a failed exec, or end of file */
	int64_t started_ns, ended_ns; /* CLOCK_MONOTONIC: at exec, after the command's end */
	int64_t cpu_ns; /* of the command, and of those of its children that it waited for */
	int status;	/* as waitpid() gives it */
};

/* What to run and how. */
struct launch_plan {
	char *const *argv;
	const char *shim;    /* to preload; NULL: nothing */
	const char *session; /* named in the environment when there is a shim */
	int sanitized; /* 1: the program is linked to AddressSanitizer, which wants to be loaded
			  first */
	int output;    /* file descriptor to have as standard output; -1: blasprof's own */
};

/* From now on blasprof's own writes over the limit on file sizes, or to a pipe that nobody reads,
 * fail instead of ending it; the command is started as if it had not been called. launch_prepare()
 * calls it as well. */
void launch_outlive_writes(void);
/* Forks a child that will exec the command once launch_go() says so. */
int launch_prepare(struct launch *launch, const struct launch_plan *plan, struct error *err);
/* In place of launch_go(): the child ends, and nothing runs. */
void launch_cancel(struct launch *launch);
/* Lets the child exec. LAUNCH_DONE, or another result with *err; the child is reaped then. */
enum launch_result launch_go(struct launch *launch, const char *command, struct error *err);
/* Waits for the command's end. From launch_go() until launch_end() the terminal's SIGINT and
 * SIGQUIT are the command's alone, and SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 are handed on to it. A
 * handler that the caller has for one of them is called as well. */
void launch_wait(struct launch *launch);
/* 1 while the command runs; a handler may ask. */
int launch_is_running(void);
/* Gives the signals back to the caller, once the run is stored: a time limit's come several times.
 */
void launch_end(void);

/* The entry for LD_PRELOAD: of the library `chosen`, or, where that is NULL, of the one that was
 * built or installed with the program. Where it has folders for each kind of program
 * (shim/kinds.sh) the loader is left to choose: processes that the library is not for then run as
 * without it. 0, or -1 with *err. */
int preload_find(const char *chosen, char *entry, size_t size, struct error *err);

/* Finds processes of the command that use BLAS without the preload library, where no sampler would
 * tell. */
struct unseen;

/* Looks at the process and its descendants now and then, in a thread of its own: seldom, so that
 * what lives for some hundredths of a second may be missed. NULL where there can be no thread: then
 * nobody looks. */
struct unseen *unseen_start(pid_t command);
/* Ends that, and notes the first such process (process_not_intercepted). NULL is allowed. */
void unseen_finish(struct unseen *unseen, struct run *run);

/* The file that the command becomes in the end: by PATH, and through the interpreters of scripts.
 * -1 where it cannot be found or read. */
int target_find(const char *command, char *path, size_t size);

/* 1 where the command is there, but not what it says it is to be run by: a script's interpreter or
 * a program's loader, whose path goes to `missing`. */
int target_lacks(const char *command, char *missing, size_t size);

/* 1 where the command's program is linked to a shared library whose name begins so. */
int target_needs(const char *command, const char *library);

/* Looks at the program that `command` names (by PATH, and through the interpreters of scripts) and
 * adds a note to the run where preloading cannot work: static_program, setuid_program,
 * foreign_program, musl_program. A command that cannot be found or read gets none: running it will
 * tell. */
void target_inspect(const char *command, struct run *run);

struct rank {
	int number, size;     /* size 0: not told */
	char job[128];	      /* the same in all ranks of the job, where the launcher says */
	const char *launcher; /* "Open MPI" */
};

/* Reads the variables that MPI launchers set. 1 when this is one of several ranks, else 0. */
int rank_find(struct rank *rank);

/* The names of these variables: each once, from index 0 on; NULL after the last. */
const char *rank_variable(size_t index);

/* Hands the command's standard output on, and finds a number in it on the way. */
struct output_tap;

/* Makes the tap for a POSIX extended regular expression whose first group is the number. A prefix
 * "rate=" says that the number is work a second, "amount=" that it is work; without one it is a
 * rate where the pattern has "/s" or "per second" in it. Fails on an expression that is wrong or
 * has no group. */
int output_tap_open(struct output_tap **tap, const char *pattern, struct error *err);
/* What the command's standard output must be. */
int output_tap_fd(const struct output_tap *tap);
/* After the fork: starts handing on, in a thread. */
int output_tap_start(struct output_tap *tap, struct error *err);
/* After the command's end: 1 and the last number that matched, 0 when none did. */
int output_tap_finish(struct output_tap *tap, double *number, int *is_rate);
void output_tap_free(struct output_tap *tap);

#endif
