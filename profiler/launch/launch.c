/* launch.c: starts the command, holds it until the sampler is ready, and waits for its end. */
/* SPDX-License-Identifier: MIT */
#include "launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire/clock.h"
#include "wire/layout.h"
#include "wire/session_file.h"

/* What would end blasprof when it writes: over the limit on file sizes, to nobody. */
static const int write_signals[] = {SIGXFSZ, SIGPIPE};
#define WRITE_SIGNALS (sizeof write_signals / sizeof *write_signals)
static struct sigaction at_write[WRITE_SIGNALS];
static int outlives_writes;

/* Who starts blasprof may ignore this signal; then nobody could await a child. */
static struct sigaction at_child;
static int awaits_children;

/* The session that stops of the command are noted in; NULL: none. */
static const char *volatile stops;

void launch_outlive_writes(void)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	for (size_t i = 0; i < WRITE_SIGNALS && !outlives_writes; i++)
		sigaction(write_signals[i], &ignore, &at_write[i]);
	outlives_writes = 1;
}

/* AddressSanitizer looks whether another library was loaded before it, and ends the program. The
 * preload library takes over none of the functions that it takes over. */
static int allow_order(void)
{
	const char *before = getenv("ASAN_OPTIONS");
	char *options;
	int result;

	if (asprintf(&options, "%s%sverify_asan_link_order=0", before ? before : "",
		     before && *before ? ":" : "") < 0)
		return -1;
	result = setenv("ASAN_OPTIONS", options, 1);
	free(options);
	return result;
}

static int set_environment(const char *shim, const char *session)
{
	const char *others = getenv("LD_PRELOAD");
	char *list, wall[] = "0";
	int result;

	if (!shim)
		return 0;
	if (asprintf(&list, "%s%s%s", shim, others && *others ? ":" : "", others ? others : "") < 0)
		return -1;
	*wall += seccomp_is_on() ? WALL_HARMLESS : WALL_UNSEEN; /* it has let this process live */
	result = setenv("LD_PRELOAD", list, 1) || setenv(SESSION_VARIABLE, session, 1) ||
				 setenv(WALL_VARIABLE, wall, 1) || setenv(ITT_VARIABLE, shim, 0) ||
				 setenv(JIT_VARIABLE, shim, 0)
			 ? -1
			 : 0;
	free(list);
	return result;
}

/* Why the child did not become the command. */
struct failure {
	int at_exec; /* 0: before that, by no fault of the command */
	int error;   /* errno */
};

/* In the child: waits for the go, then becomes the command. An exec that fails is told through the
 * pipe, which an exec that succeeds closes. */
static __attribute__((noreturn)) void run_child(int go, int failed, const struct launch_plan *plan)
{
	const char *others = getenv("LD_PRELOAD");
	int is_sanitized = plan->sanitized || (others && strstr(others, "asan"));
	struct failure failure = {0};
	char byte;

	for (size_t i = 0; i < WRITE_SIGNALS; i++)
		sigaction(write_signals[i], &at_write[i], NULL);
	sigaction(SIGCHLD, &at_child, NULL);
	if (read(go, &byte, 1) != 1)
		_exit(LAUNCH_FAILED);
	if (!set_environment(plan->shim, plan->session) &&
	    !(plan->shim && is_sanitized && allow_order()) &&
	    (plan->output < 0 || dup2(plan->output, STDOUT_FILENO) >= 0)) {
		execvp(plan->argv[0], plan->argv);
		failure.at_exec = 1;
	}
	failure.error = errno;
	if (write(failed, &failure, sizeof failure) < 0)
		_exit(LAUNCH_FAILED);
	_exit(LAUNCH_CANNOT_RUN);
}

int launch_prepare(struct launch *launch, const struct launch_plan *plan, struct error *err)
{
	int go[2], failed[2];

	memset(launch, 0, sizeof *launch);
	if (pipe2(go, O_CLOEXEC))
		return error_set(err, error_remedy(errno, ""), "cannot make a pipe: %s",
				 strerror(errno));
	if (pipe2(failed, O_CLOEXEC)) {
		error_set(err, error_remedy(errno, ""), "cannot make a pipe: %s", strerror(errno));
		close(go[0]);
		close(go[1]);
		return -1;
	}
	stops = plan->shim ? plan->session : NULL;
	launch_outlive_writes();
	if (!awaits_children)
		sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, &at_child);
	awaits_children = 1;
	fflush(NULL);
	launch->child = fork();
	if (launch->child == 0) {
		close(go[1]);
		close(failed[0]);
		run_child(go[0], failed[1], plan);
	}
	close(go[0]);
	close(failed[1]);
	launch->go = go[1];
	launch->failed = failed[0];
	if (launch->child > 0)
		return 0;
	close(launch->go);
	close(launch->failed);
	return error_set(err, "raise the limit on processes (ulimit -u), or free some memory",
			 "cannot start a process: %s", strerror(errno));
}

/* A stop from elsewhere is told by the child's state. */
static void reap(struct launch *launch)
{
	struct rusage usage = {0};
	pid_t got;

	do {
		got = wait4(launch->child, &launch->status, WUNTRACED | WCONTINUED, &usage);
		if (got > 0 && stops &&
		    (WIFSTOPPED(launch->status) || WIFCONTINUED(launch->status)))
			session_note_stop(stops, WIFSTOPPED(launch->status));
	} while (got < 0 ? errno == EINTR
			 : WIFSTOPPED(launch->status) || WIFCONTINUED(launch->status));
	stops = NULL;
	launch->ended_ns = clock_ns(CLOCK_MONOTONIC);
	launch->cpu_ns = ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000 +
			 ((int64_t)usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
}

/* A terminal's signals reach the command by themselves; what blasprof alone gets is handed on. */
static const struct {
	int number, handed_on;
} signals[] = {
	{SIGINT, 0}, {SIGQUIT, 0}, {SIGTERM, 1}, {SIGHUP, 1}, {SIGUSR1, 1}, {SIGUSR2, 1},
};
enum { SIGNALS_COUNT = sizeof signals / sizeof *signals };
static struct sigaction saved[SIGNALS_COUNT];
static volatile sig_atomic_t handed_to;

/* The handler that was there before is told as well. What the command sends to its parent, or to
 * all of its group, was not for itself. */
static void take_signal(int number, siginfo_t *from, void *context)
{
	int is_its_own = from->si_code <= 0 && from->si_pid == (pid_t)handed_to;

	for (int i = 0; i < SIGNALS_COUNT; i++) {
		void (*before)(int) = saved[i].sa_handler;

		if (signals[i].number != number)
			continue;
		if (signals[i].handed_on && handed_to > 0 && !is_its_own)
			kill((pid_t)handed_to, number);
		if (before != SIG_DFL && before != SIG_IGN)
			before(number);
	}
}

static struct sigaction at_stop;
static void take_stops(void);

/* A terminal's Ctrl-Z stops blasprof with the command, and neither could tell afterwards. The
 * kernel decides whether anybody is there to let it go on. */
static void stop_too(int number)
{
	const char *path = stops;
	int error = errno;
	sigset_t only, before;

	sigemptyset(&only);
	sigaddset(&only, number);
	if (path)
		session_note_stop(path, 1);
	sigaction(number, &at_stop, NULL);
	raise(number);
	pthread_sigmask(SIG_UNBLOCK, &only, &before); /* here it stops */
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	take_stops();
	if (path)
		session_note_stop(path, 0);
	errno = error;
}

static void take_stops(void)
{
	struct sigaction stop = {.sa_handler = stop_too, .sa_flags = SA_RESTART};

	sigaction(SIGTSTP, &stop, &at_stop);
	if (at_stop.sa_handler != SIG_DFL)
		sigaction(SIGTSTP, &at_stop, NULL);
}

static void take_signals(pid_t child)
{
	take_stops();
	handed_to = child;
	for (int i = 0; i < SIGNALS_COUNT; i++) {
		struct sigaction action = {.sa_sigaction = take_signal,
					   .sa_flags = SA_RESTART | SA_SIGINFO};

		sigemptyset(&action.sa_mask);
		sigaction(signals[i].number, &action, &saved[i]);
		if (saved[i].sa_handler == SIG_IGN)
			sigaction(signals[i].number, &saved[i], NULL);
	}
}

void launch_wait(struct launch *launch)
{
	reap(launch);
	handed_to = 0;
}

int launch_is_running(void)
{
	return handed_to > 0;
}

void launch_end(void)
{
	sigaction(SIGTSTP, &at_stop, NULL);
	for (int i = 0; i < SIGNALS_COUNT; i++)
		sigaction(signals[i].number, &saved[i], NULL);
}

/* Why the command did not start, and what to do. */
static enum launch_result explain_failure(const char *command, const struct failure *failure,
					  struct error *err)
{
	struct stat status;
	char missing[256];
	int length;

	if (!failure->at_exec) {
		error_set(err, "free some memory, and try again", "cannot start '%s': %s", command,
			  strerror(failure->error));
		return LAUNCH_FAILED;
	}
	if (failure->error == ENOENT) {
		/* The kernel says the same where the file is missing and where what it is to be run
		 * by is. */
		if (!target_lacks(command, missing, sizeof missing)) {
			error_set(err, "check the name, or give the path", "command not found: %s",
				  command);
			return LAUNCH_NOT_FOUND;
		}
		length = (int)strcspn(missing, "\r");
		error_set(err,
			  missing[length]
				  ? "end its lines with a line feed alone (dos2unix)"
				  : "install that, or repair the first line where it is a script",
			  "cannot run '%s': what it is to be run by, '%.*s%s', is not there",
			  command, length, missing, missing[length] ? "\\r" : "");
		return LAUNCH_NOT_FOUND;
	}
	if (!stat(command, &status) && S_ISDIR(status.st_mode))
		error_set(err, "name a program in it", "cannot run '%s': it is a directory",
			  command);
	else
		error_set(err,
			  failure->error == EACCES ? "chmod +x it, or name the program that runs it"
						   : "check that it is a program for this machine",
			  "cannot run '%s': %s", command, strerror(failure->error));
	return LAUNCH_CANNOT_RUN;
}

void launch_cancel(struct launch *launch)
{
	close(launch->go);
	close(launch->failed);
	reap(launch);
}

enum launch_result launch_go(struct launch *launch, const char *command, struct error *err)
{
	struct failure failure;
	ssize_t got;

	/* Before the command begins: no signal may end blasprof and lose the run. */
	take_signals(launch->child);
	launch->started_ns = clock_ns(CLOCK_MONOTONIC);
	if (write(launch->go, "", 1) != 1) {
		close(launch->go);
		close(launch->failed);
		launch_wait(launch);
		launch_end();
		error_set(err, "free some memory, and try again",
			  "the process that was to become '%s' ended before", command);
		return LAUNCH_FAILED;
	}
	close(launch->go);
	do
		got = read(launch->failed, &failure, sizeof failure);
	while (got < 0 && errno == EINTR);
	close(launch->failed);
	if (got != sizeof failure)
		return LAUNCH_DONE;
	launch_wait(launch);
	launch_end();
	return explain_failure(command, &failure, err);
}
