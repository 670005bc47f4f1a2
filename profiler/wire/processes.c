/* processes.c: reads /proc of other processes; waits for those of a session that outlive the
 * command. */
/* SPDX-License-Identifier: MIT */
#include "wire/processes.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/machine_files.h"
#include "base/memory.h"
#include "blas/blas_objects.h"
#include "wire/clock.h"
#include "wire/process_file.h"

/* Waiting for processes that outlive the command. */
#define WAIT_MOST_NS   3000000000
#define WAIT_STEP_NS   10000000

/* /proc rounds the start of a process to a clock tick. */
#define START_SLACK_NS 50000000

FILE *process_open(pid_t pid, const char *what)
{
	return fopen(PATH("/proc/%d/%s", (int)pid, what), "re");
}

void process_name(pid_t pid, char *name, size_t size)
{
	machine_read_line("", PATH("/proc/%d/comm", (int)pid), name, size);
}

int process_environment_has(pid_t pid, const char *variable, const char *text)
{
	OWN_FILE *environment = process_open(pid, "environ");
	size_t length = strlen(variable), room = 0;
	FREED char *entry = NULL;
	int has = 0;

	while (environment && !has && getdelim(&entry, &room, '\0', environment) > 0) {
		has = !strncmp(entry, variable, length) && entry[length] == '=' &&
		      strstr(entry + length + 1, text);
	}
	return has;
}

void process_libraries(pid_t pid, struct process_libraries *libraries)
{
	OWN_FILE *maps = process_open(pid, "maps");
	FREED char *line = NULL;
	size_t room = 0;

	*libraries = (struct process_libraries){.blas = ""};
	while (maps && getline(&line, &room, maps) > 0) {
		char *path = strchr(line, '/');

		if (!path)
			continue;
		path[strcspn(path, "\n")] = '\0';
		path = strrchr(path, '/') + 1;
		libraries->has_shim |= !strcmp(path, SHIM_NAME);
		if (!libraries->blas[0] && blas_object_known(path))
			snprintf(libraries->blas, sizeof libraries->blas, "%s", path);
	}
}

/* Returns the start of the process on CLOCK_MONOTONIC, or -1 if it has ended, even as a zombie. */
static int64_t process_start_ns(pid_t pid)
{
	struct process_stat stat;

	if (machine_read_process("", PATH("/proc/%d/stat", (int)pid), &stat) || stat.state == 'Z')
		return -1;
	return stat.start * (1000000000 / sysconf(_SC_CLK_TCK)) -
	       (clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC));
}

char process_state(pid_t pid)
{
	enum { EXITING = 4 }; /* the kernel's PF_EXITING */
	struct process_stat stat;

	/* for a task, the kernel does not sum up the times of all threads */
	if (machine_read_process("", PATH("/proc/%d/task/%d/stat", (int)pid, (int)pid), &stat))
		return '\0';
	return stat.flags & EXITING ? 'Z' : stat.state;
}

int process_still_runs(pid_t pid, int64_t after_ns, int64_t seen_ns)
{
	int64_t start_ns = pid > 0 ? process_start_ns(pid) : -1;

	return start_ns >= 0 && start_ns >= after_ns - START_SLACK_NS &&
	       start_ns <= seen_ns + START_SLACK_NS;
}

int session_profiler_runs(const struct session_dir *session)
{
	const struct session *control = &session->control;

	if (!flock(session->fd, LOCK_SH | LOCK_NB)) {
		flock(session->fd, LOCK_UN);
		return 0;
	}
	/* on a file system without locks, use the pid */
	return errno == EWOULDBLOCK ||
	       process_still_runs(control->profiler, 0, control->begun.monotonic_ns);
}

pid_t session_next_running(const struct session_dir *session, DIR *directory)
{
	struct process_header header;
	struct dirent *entry;
	int pid;

	while (directory && (entry = readdir(directory)))
		if (sscanf(entry->d_name, "p.%d.", &pid) == 1 && pid > 0 &&
		    (!kill(pid, 0) || errno != ESRCH) &&
		    !process_header_read(&header, dirfd(directory), entry->d_name) &&
		    header.pid == pid && process_space_is_own(header.pid_space) &&
		    process_still_runs(pid, session->control.begun.monotonic_ns,
				       header.first_monotonic_ns))
			return pid;
	return 0;
}

pid_t session_find_running(const struct session_dir *session)
{
	OWN_DIR *directory = session_list(session);

	return session_next_running(session, directory);
}

/* Returns 1 if the process belongs to the session and may still make its first call: it has a BLAS
 * library and the shim mapped. Its initial environment shows the session even if its parents have
 * ended. */
static int is_daemon(const struct session_dir *session, pid_t pid)
{
	struct process_libraries libraries;

	if (!process_environment_has(pid, SESSION_VARIABLE, session->path))
		return 0;
	process_libraries(pid, &libraries);
	return libraries.blas[0] && libraries.has_shim;
}

/* Returns the pid of the newest process, which is the last word of the file, or 0. */
static pid_t newest_process(void)
{
	char line[96], *last;

	machine_read_line("", "/proc/loadavg", line, sizeof line);
	last = strrchr(line, ' ');
	return last ? (pid_t)atoi(last) : 0;
}

/* Returns a process of the session that may still make its first call, like a daemon that waits for
 * work, or 0. A process that ends meanwhile may leave another one that is not yet in the list. */
static pid_t find_daemon(const struct session_dir *session)
{
	pid_t newest = newest_process(), found = 0;
	OWN_DIR *directory = opendir("/proc");
	struct dirent *entry;

	while (directory && !found && (entry = readdir(directory))) {
		pid_t pid = (pid_t)atoi(entry->d_name);

		found = pid > 0 && is_daemon(session, pid) ? pid : 0;
	}
	while (!found && newest < newest_process())
		found = is_daemon(session, ++newest) ? newest : 0;
	return found;
}

void session_wait(const struct session_dir *session, struct run *run)
{
	int64_t until_ns = clock_ns(CLOCK_MONOTONIC) + WAIT_MOST_NS;
	struct timespec step = {0, WAIT_STEP_NS};
	pid_t running = 0;

	do {
		pid_t last = running;

		running = session_find_running(session);
		if (!running)
			running = last && process_start_ns(last) >= 0 ? last : find_daemon(session);
	} while (running && clock_ns(CLOCK_MONOTONIC) < until_ns && !nanosleep(&step, NULL));
	if (running)
		run_add_note(run, "outlived", "process %d", (int)running);
}
