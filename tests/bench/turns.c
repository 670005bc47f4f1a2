/* turns.c: runs two programs in turns: turns WINDOW_MS COMMAND STAMPS COMMAND STAMPS. */
/* SPDX-License-Identifier: MIT
 *
 * One program is stopped while the other runs, so that both run under the same conditions: drift
 * and other load of the machine cancel out in the ratio of their speeds. Each busy thread is bound
 * to a CPU during a window, because after a stop the kernel may put two threads on one CPU for a
 * while. The CPUs rotate from pair to pair, because CPUs may differ, and a program with fewer
 * threads would otherwise have the speed of some of them only. If a command starts the program as
 * its child, only the program is stopped. Prints a line for each pair of windows: the steps per
 * second of both. */
#include <dirent.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "wire/clock.h"

#define START_MS  500	  /* until a program is in its loop; not measured */
#define SETTLE_NS 2000000 /* not measured, after a program was continued */

struct window {
	int64_t from_ns, to_ns;
};

struct runner {
	const char *command;	 /* for sh -c */
	const char *stamps_path; /* file to which the program writes its stamps at the end */
	pid_t pid;		 /* of the command */
	pid_t program;		 /* its last descendant, which is the one that is stopped */
	struct window *windows;
	int64_t *stamps_ns;
	size_t stamps;
};

struct task {
	pid_t tid;
	int64_t cpu_ns; /* CPU time so far */
};

enum { WINDOWS_MAX = 100000, TASKS_MAX = 1024 };

/* Returns whether the command has ended, without reaping it. */
static int has_ended(const struct runner *runner)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)runner->pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

/* Returns the first number of a file of /proc, or 0. */
static int64_t read_task(pid_t pid, pid_t tid, const char *name)
{
	char path[64];
	int64_t number = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", (int)pid, (int)tid, name);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (fscanf(file, "%" SCNd64, &number) != 1)
		number = 0;
	fclose(file);
	return number;
}

/* Returns the last descendant, following the first child of each process. */
static pid_t last_child(pid_t pid)
{
	pid_t child = (pid_t)read_task(pid, pid, "children");

	return child ? last_child(child) : pid;
}

COMPARE(busier_first, struct task, ORDER(b->cpu_ns, a->cpu_ns))

static int list_tasks(pid_t pid, struct task *tasks)
{
	char path[64];
	const struct dirent *entry;
	DIR *directory;
	int count = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	directory = opendir(path);
	if (!directory)
		return 0;
	while (count < TASKS_MAX && (entry = readdir(directory)))
		if (atoi(entry->d_name) > 0) {
			tasks[count].tid = atoi(entry->d_name);
			tasks[count].cpu_ns = read_task(pid, tasks[count].tid, "schedstat");
			count++;
		}
	closedir(directory);
	return count;
}

/* Binds the busiest threads to one CPU each, as far as there are CPUs. The busiest thread gets
 * number `first` (modulo their number) of the CPUs that this program may use. */
static void spread_threads(pid_t pid, int first)
{
	struct task tasks[TASKS_MAX];
	cpu_set_t allowed, one;
	int count = list_tasks(pid, tasks), cpus, at = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	cpus = CPU_COUNT(&allowed);
	qsort(tasks, (size_t)count, sizeof(*tasks), busier_first);
	for (int cpu = 0; cpu < CPU_SETSIZE && at < cpus; cpu++)
		if (CPU_ISSET(cpu, &allowed)) {
			int task = (at++ + cpus - first % cpus) % cpus;

			CPU_ZERO(&one);
			CPU_SET(cpu, &one);
			if (task < count)
				sched_setaffinity(tasks[task].tid, sizeof(one), &one);
		}
}

static int start(struct runner *runner)
{
	runner->windows = calloc(WINDOWS_MAX, sizeof(*runner->windows));
	runner->pid = runner->windows ? fork() : -1;
	if (!runner->pid) {
		execl("/bin/sh", "sh", "-c", runner->command, (char *)NULL);
		_exit(127);
	}
	if (runner->pid < 0)
		return -1;
	usleep(START_MS * 1000);
	runner->program = last_child(runner->pid);
	kill(runner->program, SIGSTOP);
	return 0;
}

/* Lets the program run for one window, on CPUs from `cpu` on. Returns whether it still runs. */
static int run_window(const struct runner *runner, long window_ms, int cpu, struct window *window)
{
	spread_threads(runner->program, cpu);
	kill(runner->program, SIGCONT);
	window->from_ns = clock_ns(CLOCK_MONOTONIC) + SETTLE_NS;
	usleep((useconds_t)window_ms * 1000);
	window->to_ns = clock_ns(CLOCK_MONOTONIC);
	kill(runner->program, SIGSTOP);
	return !has_ended(runner);
}

/* Runs pairs of windows, with alternating order, until a program ends. Returns the number of
 * complete pairs. */
static int run_by_turns(struct runner runners[2], long window_ms)
{
	int pairs = 0;

	while (pairs < WINDOWS_MAX) {
		int first = pairs % 2;

		if (!run_window(&runners[first], window_ms, pairs,
				&runners[first].windows[pairs]) ||
		    !run_window(&runners[!first], window_ms, pairs,
				&runners[!first].windows[pairs]))
			break;
		pairs++;
	}
	return pairs;
}

/* Lets the program run to its end. Returns whether it succeeded. */
static int finish(const struct runner *runner)
{
	int status;

	kill(runner->program, SIGCONT);
	return waitpid(runner->pid, &status, 0) == runner->pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}

static int read_stamps(struct runner *runner)
{
	FILE *file = fopen(runner->stamps_path, "r");
	int64_t stamp_ns;

	while (file && fscanf(file, "%" SCNd64, &stamp_ns) == 1)
		if (array_append(&runner->stamps_ns, &runner->stamps, sizeof stamp_ns, &stamp_ns))
			break;
	if (file)
		fclose(file);
	return runner->stamps ? 0 : -1;
}

/* Steps per second between the window's first and last step; 0 if it has fewer than two steps. */
static double window_rate(const struct runner *runner, int window)
{
	const struct window *w = &runner->windows[window];
	size_t first = 0, end;

	while (first < runner->stamps && runner->stamps_ns[first] < w->from_ns)
		first++;
	for (end = first; end < runner->stamps && runner->stamps_ns[end] < w->to_ns;)
		end++;
	if (end - first < 2)
		return 0;
	return (double)(end - 1 - first) * 1e9 /
	       (double)(runner->stamps_ns[end - 1] - runner->stamps_ns[first]);
}

int main(int argc, char **argv)
{
	struct runner runners[2] = {{0}};
	long window_ms = argc == 6 ? atol(argv[1]) : 0;
	int pairs;

	if (window_ms < 1) {
		fprintf(stderr, "usage: turns WINDOW_MS COMMAND STAMPS COMMAND STAMPS\n");
		return 2;
	}
	for (int i = 0; i < 2; i++) {
		runners[i].command = argv[2 + 2 * i];
		runners[i].stamps_path = argv[3 + 2 * i];
		if (start(&runners[i]))
			return 3;
	}
	pairs = run_by_turns(runners, window_ms);
	for (int i = 0; i < 2; i++)
		if (!finish(&runners[i]) || read_stamps(&runners[i])) {
			fprintf(stderr, "turns: the command failed: %s\n", runners[i].command);
			return 3;
		}
	for (int i = 0; i < pairs; i++) {
		double first = window_rate(&runners[0], i), second = window_rate(&runners[1], i);

		if (first > 0 && second > 0)
			printf("%.3f %.3f\n", first, second);
	}
	return 0;
}
