/* launch.c: starts the command, lets it wait until the sampler is ready, and waits for its end;
 * finds the preload library. */
/* SPDX-License-Identifier: MIT */
#include "launch/launch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/installed.h"
#include "base/machine_files.h"
#include "base/memory.h"
#include "wire/clock.h"
#include "wire/files.h"
#include "wire/layout.h"
#include "wire/session_file.h"

#define GROUP_MS 30
#define STOP_MS	 10

static const struct {
	int number;
	void (*handler)(int);
} own_signals[] = {
	/* writes that fail: over the limit on file sizes, or to a closed pipe */
	{SIGXFSZ, SIG_IGN},
	{SIGPIPE, SIG_IGN},
	/* if blasprof's parent ignores it, waiting for a child would not work */
	{SIGCHLD, SIG_DFL},
};
static struct sigaction saved_own[COUNT(own_signals)];

void launch_set_signals(void)
{
	static int are_set;

	for (size_t i = 0; i < COUNT(own_signals) && !are_set; i++)
		sigaction(own_signals[i].number,
			  &(struct sigaction){.sa_handler = own_signals[i].handler}, &saved_own[i]);
	are_set = 1;
}

#define FILES_MAX 1024 /* descriptors from this number on are kept */

static char inherited[FILES_MAX]; /* by descriptor; 1: blasprof was started with it */
static int may_release;

/* Returns 1 if this process has a lock of fcntl(), from before its exec, or if that is not known.
 * Such a lock ends when any descriptor of its file is closed. */
static int has_locks(void)
{
	OWN_FILE *locks = fopen("/proc/locks", "re");
	char line[256];
	int has = !locks, pid;

	while (locks && !has && fgets(line, sizeof line, locks))
		has = sscanf(line, "%*d: POSIX %*s %*s %d", &pid) == 1 && pid == (int)getpid();
	return has;
}

void launch_note_files(void)
{
	OWN_DIR *directory = opendir("/proc/self/fd");
	const struct dirent *entry;

	may_release = !has_locks();
	/* a preloaded library may have opened some for itself */
	while (directory && !getenv("LD_PRELOAD") && !getenv("LD_AUDIT") &&
	       (entry = readdir(directory))) {
		int fd = atoi(entry->d_name);

		if (fd > STDERR_FILENO && fd < FILES_MAX && !fcntl(fd, F_GETFD))
			inherited[fd] = 1;
	}
}

static void release(int fd)
{
	int null = may_release ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;

	if (null < 0)
		return;
	dup2(null, fd);
	close(null);
}

void launch_release_output(void)
{
	release(STDOUT_FILENO);
}

void launch_release_files(int needs_output)
{
	release(STDIN_FILENO);
	if (!needs_output)
		launch_release_output();
	for (int fd = 0; fd < FILES_MAX && may_release; fd++) {
		if (inherited[fd])
			close(fd);
		inherited[fd] = 0;
	}
}

/* Sets the variable to both texts, with a colon between them if none is empty. */
static int set_both(const char *variable, const char *first, const char *second)
{
	FREED char *both = NULL;

	return asprintf(&both, "%s%s%s", first, *first && *second ? ":" : "", second) < 0
		       ? -1
		       : setenv(variable, both, 1);
}

static int set_environment(const char *shim, const char *session)
{
	const char *others = getenv("LD_PRELOAD"), *asan = getenv("ASAN_OPTIONS");
	char wall[] = {WALL_TRUSTS_MOST, '\0'};
	int filters;

	if (!shim)
		return 0;
	/* filters on blasprof itself have not killed it */
	filters = seccomp_filters();
	if (filters < WALL_TRUSTS_MOST - WALL_TRUSTS)
		*wall = (char)(WALL_TRUSTS + filters);
	/* AddressSanitizer's check that no library is loaded before its own would end the program,
	 * or one that it starts. It is not needed, because the preload library replaces none of the
	 * same functions. */
	return set_both("LD_PRELOAD", shim, others ? others : "") ||
			       setenv(SESSION_VARIABLE, session, 1) ||
			       setenv(WALL_VARIABLE, wall, 1) || setenv(ITT_VARIABLE, shim, 0) ||
			       setenv(JIT_VARIABLE, shim, 0) ||
			       set_both("ASAN_OPTIONS", asan ? asan : "",
					"verify_asan_link_order=0")
		       ? -1
		       : 0;
}

/* What the command would have kept if blasprof's own process had executed it, but what a new
 * process does not get from its parent. */
struct heritage {
	int death_signal; /* that it gets when its parent ends */
	int adopts;	  /* 1: processes whose parents end become its children */
	struct itimerval alarm;
};

/* is_last: 0 leaves the alarm, which then is for all commands, to blasprof */
static struct heritage heritage_note(int is_last)
{
	struct heritage its = {0};

	prctl(PR_GET_PDEATHSIG, &its.death_signal);
	prctl(PR_GET_CHILD_SUBREAPER, &its.adopts);
	if (is_last)
		setitimer(ITIMER_REAL, &(struct itimerval){0}, &its.alarm);
	return its;
}

static void heritage_take(const struct heritage *its)
{
	pid_t parent = getppid();
	int policy = sched_getscheduler(parent);
	struct sched_param priority;

	prctl(PR_SET_PDEATHSIG, its->death_signal);
	prctl(PR_SET_CHILD_SUBREAPER, its->adopts);
	setitimer(ITIMER_REAL, &its->alarm, NULL);
	if (policy < 0 || !(policy & SCHED_RESET_ON_FORK) || sched_getparam(parent, &priority))
		return;
	sched_setscheduler(0, policy, &priority);
	setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, (id_t)parent));
}

/* Why the child did not execute the command. */
struct failure {
	int at_exec; /* 1: exec failed; 0: something before it, which is not the command's fault */
	int error;   /* errno */
};

/* Returns 1 for the signals that would end blasprof and lose the run, but for those of its own
 * faults. Batch systems let users choose any of them to announce the end of the time. */
static int ends_process(int number)
{
	static const int numbers[] = {SIGINT,  SIGQUIT, SIGTERM,  SIGHUP,    SIGUSR1,
				      SIGUSR2, SIGALRM, SIGPROF,  SIGVTALRM, SIGIO,
				      SIGPWR,  SIGXCPU, SIGSTKFLT};

	EACH_ROW(ends, numbers, COUNT(numbers))
		if (number == *ends)
			return 1;
	return number >= SIGRTMIN && number <= SIGRTMAX;
}

/* Returns 1 for the signals of faults. Watchdogs send them, too, to make a program say where it is.
 */
static int is_of_fault(int number)
{
	static const int numbers[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};

	EACH_ROW(fault, numbers, COUNT(numbers))
		if (number == *fault)
			return 1;
	return 0;
}

/* Returns 1 for the signals that the command gets if they are sent to blasprof. */
static int is_forwarded(int number)
{
	return ends_process(number) || is_of_fault(number) || number == SIGCONT ||
	       number == SIGWINCH || number == SIGURG;
}

static sigset_t held_signals, mask_before;

void launch_hold_signals(void)
{
	struct sigaction action;

	sigemptyset(&held_signals);
	for (int number = 1; number < NSIG; number++)
		if (ends_process(number) && !sigaction(number, NULL, &action) &&
		    action.sa_handler != SIG_IGN)
			sigaddset(&held_signals, number);
	pthread_sigmask(SIG_BLOCK, &held_signals, &mask_before);
}

void launch_release_signals(void)
{
	if (!sigisemptyset(&held_signals))
		pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
	sigemptyset(&held_signals);
}

/* Returns 1 if a signal came that would have ended blasprof. */
static int is_interrupted(void)
{
	sigset_t pending;

	sigpending(&pending);
	for (int number = 1; number < NSIG; number++)
		if (sigismember(&pending, number) && sigismember(&held_signals, number) &&
		    !sigismember(&mask_before, number))
			return 1;
	return 0;
}

/* A variable that names blasprof's process is to name the command's. */
static int set_pid(const char *variable, const char *pid)
{
	char parent[24], own[24];

	snprintf(parent, sizeof parent, "%d", (int)getppid());
	snprintf(own, sizeof own, "%d", (int)getpid());
	return pid && !strcmp(pid, parent) ? setenv(variable, own, 1) : 0;
}

/* systemd names the process that its sockets and its watchdog are meant for. */
static int set_pids(void)
{
	return set_pid("LISTEN_PID", getenv("LISTEN_PID")) ||
	       set_pid("WATCHDOG_PID", getenv("WATCHDOG_PID")) ||
	       set_pid("SYSTEMD_EXEC_PID", getenv("SYSTEMD_EXEC_PID"));
}

/* Runs in the child: waits for the byte from launch_go(), then executes the command. Writes to the
 * pipe `failed` if exec fails; a successful exec closes it. */
static __attribute__((noreturn)) void run_child(int go, int failed, const struct launch_plan *plan)
{
	struct failure failure = {0};
	char byte;

	for (size_t i = 0; i < COUNT(own_signals); i++)
		sigaction(own_signals[i].number, &saved_own[i], NULL);
	if (read(go, &byte, 1) != 1)
		_exit(LAUNCH_FAILED);
	if (!set_environment(plan->shim, plan->session) && !set_pids() &&
	    (plan->output < 0 || dup2(plan->output, STDOUT_FILENO) >= 0)) {
		launch_release_signals();
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
	const struct heritage heritage = heritage_note(plan->is_last);
	int go[2] = {-1, -1}, failed[2];

	memset(launch, 0, sizeof *launch);
	if (is_interrupted())
		return error_set(err, "start it again", "interrupted before the command started");
	if (pipe2(go, O_CLOEXEC) || pipe2(failed, O_CLOEXEC)) {
		error_set(err, error_remedy(errno, ""), "cannot make a pipe: %s", strerror(errno));
		file_close(go[0]);
		file_close(go[1]);
		return -1;
	}
	launch_set_signals();
	fflush(NULL);
	launch->child = fork();
	if (launch->child == 0) {
		close(go[1]);
		close(failed[0]);
		heritage_take(&heritage);
		run_child(go[0], failed[1], plan);
	}
	close(go[0]);
	close(failed[1]);
	launch->go = go[1];
	launch->failed = failed[0];
	if (launch->child > 0) {
		sentinel_start();
		return 0;
	}
	close(launch->go);
	close(launch->failed);
	return error_set(err, "raise the limit on processes (ulimit -u), or free some memory",
			 "cannot start a process: %s", strerror(errno));
}

static struct sigaction saved_signals[NSIG];
static volatile sig_atomic_t running_child;

/* Returns 1 also if the child was waited for. */
static int has_ended(pid_t child)
{
	siginfo_t ended = {0};

	return waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) || ended.si_pid;
}

/* Forwards a signal, unless the command itself sent it to its parent or process group, or it
 * reaches the command anyway because it was sent to the whole group, as by the terminal, timeout(1)
 * and batch systems. Some send it to blasprof alone first: what comes within GROUP_MS counts as one
 * signal. */
static void forward(int number, const siginfo_t *from)
{
	pid_t command = (pid_t)running_child;
	int is_to_group = 0;
	sigset_t same;

	if (from->si_code <= 0 && from->si_pid == command) {
		sentinel_got(number);
		return;
	}
	if (from->si_code == SI_QUEUE) {
		sigqueue(command, number, from->si_value);
		return;
	}
	for (int ms = 0; ms < GROUP_MS && !has_ended(command); ms++)
		usleep(1000);
	sigemptyset(&same);
	sigaddset(&same, number);
	do {
		int got = sentinel_got(number);

		if (got < 0) /* not known: the terminal sends these */
			got = number == SIGINT || number == SIGQUIT;
		is_to_group |= got;
	} while (number < SIGRTMIN &&
		 sigtimedwait(&same, NULL, &(struct timespec){.tv_nsec = 1000000}) > 0);
	/* without blasprof, a command that leads its process group would not have left it;
	 * stop_too() continues it when it has the terminal */
	if (number != SIGCONT && getpgrp() == getpid() && getpgid(command) != getpgrp())
		is_to_group = 0;
	if (!is_to_group && !has_ended(command))
		kill(command, number);
}

/* Calls the handler that was installed before, and forwards the signal, unless it is about
 * blasprof's own use of the CPU, or its own fault. All signals are blocked meanwhile. */
static void handle_signal(int number, siginfo_t *from, void *context)
{
	void (*before)(int) = saved_signals[number].sa_handler;
	int error = errno;

	if (is_of_fault(number) && (from->si_code > 0 || from->si_pid == getpid())) {
		sigaction(number, &saved_signals[number], NULL);
		raise(number);
		return;
	}
	if (before != SIG_DFL && before != SIG_IGN)
		before(number);
	if (running_child > 0 && !(number == SIGXCPU && from->si_code > 0))
		forward(number, from);
	errno = error;
}

/* Signals of the terminal that stop its process group. Some commands ignore them, or stop later, so
 * blasprof blocks them. */
static sigset_t held_stops;

static void hold_stops(void)
{
	static const int numbers[] = {SIGTSTP, SIGTTIN, SIGTTOU};
	sigset_t before;

	pthread_sigmask(SIG_BLOCK, NULL, &before);
	EACH_ROW(number, numbers, COUNT(numbers))
		if (!sigismember(&before, *number))
			sigaddset(&held_stops, *number);
	pthread_sigmask(SIG_BLOCK, &held_stops, NULL);
}

/* Returns 1 if the shell with job control that has started blasprof must be told that the command
 * has stopped, because it would wait for it in the foreground. */
static int is_in_foreground(int terminal, pid_t child)
{
	pid_t shell = getppid(), front = tcgetpgrp(terminal);

	return getsid(shell) == getsid(0) && getpgid(shell) != getpgrp() && front > 0 &&
	       (front == getpgrp() || front == getpgid(child));
}

/* Stops blasprof if the signal that has stopped the command was sent to it as well, or if a shell
 * waits. */
static void stop_too(pid_t child, int number)
{
	int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC), is_asked = 0;
	int is_shown = is_in_foreground(terminal, child);
	pid_t group = getpgid(child);
	sigset_t pending;

	if (is_shown)
		kill(getpid(), number);
	for (int ms = 0; ms < STOP_MS && !is_asked; ms++) { /* it may reach the command first */
		usleep(1000);
		sigpending(&pending);
		is_asked = sigismember(&pending, number);
	}
	if (is_asked) {
		pthread_sigmask(SIG_UNBLOCK, &held_stops, NULL);
		pthread_sigmask(SIG_BLOCK, &held_stops, NULL);
	}
	/* A command with a process group of its own, such as a shell, is continued in place of
	 * blasprof. */
	if (is_shown && group != getpgrp()) {
		if (tcgetpgrp(terminal) == getpgrp())
			tcsetpgrp(terminal, group);
		kill(-group, SIGCONT);
	}
	file_close(terminal);
}

/* Waits, with WEXITED, until the command stops, ends, or is traced by blasprof and stops. Returns 1
 * if it has stopped, and may have been continued. */
static int see_stop(pid_t child, int options)
{
	siginfo_t seen = {0};

	while (waitid(P_PID, (id_t)child, &seen, options | WSTOPPED | WNOWAIT))
		if (errno != EINTR)
			return 0;
	if (seen.si_code != CLD_STOPPED)
		return 0;
	seen.si_pid = 0;
	if (!waitid(P_PID, (id_t)child, &seen, WSTOPPED | WNOHANG) && seen.si_pid)
		stop_too(child, seen.si_status);
	return 1;
}

static void release_stops(void)
{
	while (sigtimedwait(&held_stops, NULL, &(struct timespec){0}) > 0)
		;
	pthread_sigmask(SIG_UNBLOCK, &held_stops, NULL);
	sigemptyset(&held_stops);
}

void launch_wait(struct launch *launch)
{
	struct rusage usage = {0};

	while (see_stop(launch->child, WEXITED))
		;
	while (wait4(launch->child, &launch->status, 0, &usage) < 0 && errno == EINTR)
		;
	launch->ended_ns = clock_ns(CLOCK_MONOTONIC);
	launch->cpu_ns = ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000 +
			 ((int64_t)usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
	running_child = 0;
	release_stops();
	sentinel_end();
}

int launch_is_running(void)
{
	return running_child > 0;
}

void launch_end(void)
{
	for (int number = 1; number < NSIG; number++)
		if (is_forwarded(number))
			sigaction(number, &saved_signals[number], NULL);
}

static enum launch_result explain_failure(const char *command, const struct failure *failure,
					  struct error *err)
{
	struct stat status;
	char missing[256], first;
	const char *remedy;
	int length;

	if (!failure->at_exec) {
		error_set(err, "free some memory, and try again", "cannot start '%s': %s", command,
			  strerror(failure->error));
		return LAUNCH_FAILED;
	}
	if (failure->error == ENOENT) {
		/* the kernel returns the same error if the interpreter or loader is missing */
		if (!target_lacks(command, missing, sizeof missing)) {
			first = command[strcspn(command, "=/ ")];
			remedy =
				first == '=' ? "write env before it to set a variable"
				: strchr(command, ' ')
					? "check the name, or leave out the quotes around its words"
					: "check the name, or give the path";
			error_set(err, remedy, "command not found: %s", command);
			return LAUNCH_NOT_FOUND;
		}
		length = (int)strcspn(missing, "\r");
		error_set(err,
			  missing[length]
				  ? "end its lines with a line feed alone (dos2unix)"
				  : "install it, or correct the first line if it is a script",
			  "cannot run '%s': its interpreter '%.*s%s' does not exist", command,
			  length, missing, missing[length] ? "\\r" : "");
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
	launch_wait(launch);
}

enum launch_result launch_go(struct launch *launch, const char *command, struct error *err)
{
	struct pollfd failing = {.events = POLLIN};
	struct failure failure;
	struct sigaction action = {.sa_sigaction = handle_signal,
				   .sa_flags = SA_RESTART | SA_SIGINFO};
	ssize_t got = 0;
	int is_gone;

	/* from here on, no signal may end blasprof and lose the run */
	running_child = launch->child;
	sigfillset(&action.sa_mask);
	for (int number = 1; number < NSIG; number++) {
		if (!is_forwarded(number))
			continue;
		sigaction(number, &action, &saved_signals[number]);
		if (saved_signals[number].sa_handler == SIG_IGN ||
		    (is_of_fault(number) && saved_signals[number].sa_handler != SIG_DFL))
			sigaction(number, &saved_signals[number], NULL);
	}
	launch_release_signals();
	hold_stops();
	launch->started_ns = clock_ns(CLOCK_MONOTONIC);
	is_gone = write(launch->go, "", 1) != 1;
	close(launch->go);
	failing.fd = launch->failed;
	while (!is_gone && !poll(&failing, 1, STOP_MS)) /* it may stop before it executes */
		see_stop(launch->child, WNOHANG);
	while (!is_gone && (got = read(launch->failed, &failure, sizeof failure)) < 0 &&
	       errno == EINTR)
		;
	close(launch->failed);
	if (is_gone) {
		launch_wait(launch);
		launch_end();
		error_set(err, "free some memory, and try again",
			  "the child process ended before it could execute '%s'", command);
		return LAUNCH_FAILED;
	}
	if (got != sizeof failure)
		return LAUNCH_DONE;
	launch_wait(launch);
	launch_end();
	return explain_failure(command, &failure, err);
}

int launch_thread(pthread_t *thread, void *(*run)(void *data), void *data)
{
	sigset_t all, before;
	int status;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	status = pthread_create(thread, NULL, run, data);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return status;
}

/* The directories for the kinds of programs; each loader replaces $LIB (shim/kinds.sh). */
#define KINDS "kinds/$LIB/"

int preload_find(char *entry, size_t size, struct error *err)
{
	/* beside the program (as built or copied), in the library directory next to the program's
	 * (an installed tree that was moved), or where it was to be installed */
	static const char *const places[] = {SHIM_NAME, ".libs/" SHIM_NAME,
					     "../lib/blasprof/" SHIM_NAME, PKGLIBDIR "/" SHIM_NAME,
					     NULL};
	char path[PATH_MAX + 64], small[PATH_MAX + 128];
	void *library;
	int length;

	if (installed_find(places, path, sizeof path))
		return error_set(err, "install blasprof again, or keep " SHIM_NAME " beside it",
				 "the preload library '%s' cannot be read", path);
	if (strpbrk(path, " :"))
		return error_set(err, "install blasprof below a path without spaces and colons",
				 "the loader cannot preload '%s'", path);
	length = (int)(strrchr(path, '/') + 1 - path);
	/* The loader finds the library in these directories if it finds the small library beside
	 * it. */
	snprintf(small, sizeof small, "%.*s" KINDS "which.so", length, path);
	library = dlopen(small, RTLD_LAZY | RTLD_LOCAL);
	snprintf(entry, size, "%.*s%s" SHIM_NAME, length, path, library ? KINDS : "");
	if (library)
		dlclose(library);
	return 0;
}
