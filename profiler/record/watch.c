/* watch.c: looks at the processes of a session while they run: which are stopped, their CPU quota,
 * and which use BLAS without the preload library. */
/* SPDX-License-Identifier: MIT */
#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/human.h"
#include "base/machine_files.h"
#include "machine/machine.h"
#include "wire/clock.h"
#include "wire/files.h"
#include "wire/layout.h"
#include "wire/processes.h"
#include "wire/session_file.h"

#define FIRST_LOOK_NS 5000000
#define LOOK_NS	      100000000
#define LOOK_PART     200	 /* the looks take at most this part of a CPU's time */
#define LATE_NS	      100000000	 /* a look that is later than this tells of a stop */
#define UNSEEN_NS     1000000000 /* between looks for processes without the preload library */
#define PROCESSES_MAX 64	 /* inspected in one pass */

struct watch {
	pthread_t thread;
	int stop_fd; /* an eventfd that ends the thread */
	const struct session_dir *session;
	pid_t command;
	int finds_unseen; /* 1: looks for processes without the preload library */
	struct watch_quota quota;
	int has_callers;  /* 1: the quota is that of processes that have made calls */
	char unseen[400]; /* the first process found by that; "" if none */
	char hidden[64];  /* the first that does not see the session directory; "" if none */
};

/* Returns 1 if the process has no record, and cannot reach the session directory: it is another
 * user's, or has another root directory or other mounts than blasprof, so that the session's path
 * names nothing there. */
static int is_hidden_from(pid_t pid, const struct session_dir *session)
{
	const char *status = PATH("/proc/%d/status", (int)pid);
	int64_t number = machine_read_last(status, "NStgid");
	int64_t user = machine_read_last(status, "Uid"); /* the one that accesses files */

	if (!faccessat(session->fd, PATH("p.%d.0", number ? (int)number : (int)pid), F_OK, 0))
		return 0;
	if (user && user != (int64_t)geteuid())
		return process_state(pid) != 0;
	if (access(PATH("/proc/%d/root/", (int)pid), F_OK))
		return 0; /* it has ended, or is another user's */
	return access(PATH("/proc/%d/root%s", (int)pid, session->path), F_OK) && errno == ENOENT &&
	       !access(session->path, F_OK) && process_state(pid);
}

/* Inspects the command and its descendants. */
static void inspect_processes(struct watch *watch)
{
	pid_t pids[PROCESSES_MAX] = {watch->command};
	size_t count = 1;

	for (size_t i = 0; i < count; i++) {
		struct process_libraries libraries;
		char name[16];

		process_libraries(pids[i], &libraries);
		if (libraries.blas[0])
			process_name(pids[i], name, sizeof name);
		if (!watch->hidden[0] && libraries.has_shim && libraries.blas[0] &&
		    is_hidden_from(pids[i], watch->session))
			SAY(watch->hidden, "process %d (%s)", (int)pids[i], name);
		if (watch->finds_unseen && !watch->unseen[0] && libraries.blas[0] &&
		    !libraries.has_shim)
			SAY(watch->unseen, "%s (process %d) uses %s%s", name, (int)pids[i],
			    libraries.blas,
			    process_environment_has(pids[i], "LD_PRELOAD", SHIM_NAME)
				    ? ""
				    : ", and LD_PRELOAD was removed from its environment");
		/* the children of its main thread, which are nearly all of its children */
		OWN_FILE *children = process_open(pids[i], PATH("task/%d/children", (int)pids[i]));
		while (children && count < PROCESSES_MAX &&
		       fscanf(children, "%d", &pids[count]) == 1)
			count++;
	}
}

/* Looks at the processes that have made calls. Their parents need not be blasprof, so waitpid()
 * does not tell which are stopped, and they may have joined another control group than blasprof's.
 * The command may have, too, if no process makes calls. */
static void look_at_callers(struct watch *watch)
{
	const struct session_dir *session = watch->session;
	struct watch_quota *quota = &watch->quota;
	OWN_DIR *directory = session_list(session);
	double most = -1, throttled_ns = 0;
	char its_state;
	pid_t pid;

	while ((pid = session_next_running(session, directory))) {
		double cpus = machine_cpu_quota("", pid), its_ns = machine_throttled_ns("", pid);
		char state = process_state(pid);

		if (!state || state == 'Z')
			continue; /* it ended meanwhile, and has no group any more */
		watch->has_callers = 1;
		session_note_stop(
			session->path, pid,
			state == 'T' || machine_is_frozen("", pid) ? clock_ns(CLOCK_MONOTONIC) : 0);
		if (cpus > most) {
			most = cpus;
			throttled_ns = its_ns;
		}
	}
	its_state = watch->has_callers ? 0 : process_state(watch->command);
	if (its_state && its_state != 'Z') {
		most = machine_cpu_quota("", watch->command);
		throttled_ns = machine_throttled_ns("", watch->command);
	}
	if (most < 0)
		return;
	if (most < quota->cpus || most > quota->cpus)
		quota->throttled_first_ns = throttled_ns;
	quota->cpus = most;
	quota->throttled_last_ns = throttled_ns;
}

/* Returns for how long the thread was ready but had no CPU, or -1 if the kernel does not tell. */
static int64_t run_delay_ns(void)
{
	long long cpu_ns, delay_ns;
	char line[128];

	machine_read_line("", "/proc/thread-self/schedstat", line, sizeof line);
	return sscanf(line, "%lld %lld", &cpu_ns, &delay_ns) == 2 && cpu_ns ? delay_ns : -1;
}

/* Notes that all processes were stopped, together by SIGSTOP or in a control group, if what was due
 * at due_ns is late, and not because this thread lacked a CPU since it had waited delay_ns for one.
 */
static void note_if_late(const struct watch *watch, int64_t due_ns, int64_t delay_ns)
{
	if (delay_ns < 0)
		return;
	/* it may have lacked a CPU before the stop, so this is when the stop began at the latest */
	due_ns += run_delay_ns() - delay_ns;
	if (clock_ns(CLOCK_MONOTONIC) - due_ns <= LATE_NS)
		return;
	session_note_stop(watch->session->path, 0, due_ns);
	session_note_stop(watch->session->path, 0, 0);
}

/* Waits, and returns 1 after that time, or 0 if the watch is to end. */
static int wait_for_look(const struct watch *watch, int64_t wait_ns)
{
	struct pollfd end = {.fd = watch->stop_fd, .events = POLLIN};
	int64_t due_ns = clock_ns(CLOCK_MONOTONIC) + wait_ns, delay_ns = run_delay_ns();

	session_note_look(watch->session->path, due_ns + LATE_NS);
	if (poll(&end, 1, (int)(wait_ns / 1000000)))
		return 0;
	note_if_late(watch, due_ns, delay_ns);
	return 1;
}

static void *run_watch(void *data)
{
	struct watch *watch = data;
	int64_t start_ns = clock_ns(CLOCK_MONOTONIC), unseen_at_ns = 0, wait_ns = FIRST_LOOK_NS;

	while (wait_for_look(watch, wait_ns)) {
		int64_t now_ns = clock_ns(CLOCK_MONOTONIC), age_ns = now_ns - start_ns;
		int64_t delay_ns = run_delay_ns(), took_ns = -clock_ns(CLOCK_THREAD_CPUTIME_ID);

		look_at_callers(watch);
		note_if_late(watch, now_ns + took_ns + clock_ns(CLOCK_THREAD_CPUTIME_ID), delay_ns);
		if (now_ns >= unseen_at_ns) {
			inspect_processes(watch);
			unseen_at_ns = now_ns + (age_ns < UNSEEN_NS ? age_ns : UNSEEN_NS);
		}
		took_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID);
		wait_ns = age_ns < LOOK_NS ? age_ns : LOOK_NS;
		wait_ns = took_ns * LOOK_PART > wait_ns ? took_ns * LOOK_PART : wait_ns;
	}
	return NULL;
}

struct watch *watch_start(const struct session_dir *session, pid_t command, int finds_unseen)
{
	struct watch *watch = calloc(1, sizeof *watch);

	if (!watch)
		return NULL;
	watch->session = session;
	watch->command = command;
	watch->finds_unseen = finds_unseen;
	watch->quota.cpus = -1;
	session_note_look(session->path, INT64_MAX);
	watch->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (watch->stop_fd >= 0 && !launch_thread(&watch->thread, run_watch, watch))
		return watch;
	file_close(watch->stop_fd);
	free(watch);
	return NULL;
}

struct watch_quota watch_finish(struct watch *watch, struct run *run)
{
	struct watch_quota quota = {.cpus = -1};

	if (!watch)
		return quota;
	eventfd_write(watch->stop_fd, 1);
	pthread_join(watch->thread, NULL);
	session_note_look(watch->session->path, INT64_MAX);
	close(watch->stop_fd);
	if (watch->unseen[0])
		run_add_note(run, "process_not_intercepted", "%s", watch->unseen);
	if (watch->hidden[0])
		run_add_note(run, "session_hidden", "%s", watch->hidden);
	quota = watch->quota;
	free(watch);
	return quota;
}
