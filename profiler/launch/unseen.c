/* unseen.c: finds processes in /proc that use BLAS without the preload library. */
/* SPDX-License-Identifier: MIT */
#include "launch/launch.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "wire/processes.h"
#include "wire/layout.h"

#define FIRST_LOOK_MS 5
#define LAST_LOOK_MS  1000
#define PROCESSES_MAX 64 /* inspected in one pass */

struct unseen {
	pthread_t thread;
	int ends[2]; /* a pipe; its write end is closed to end the thread */
	pid_t command;
	pid_t found; /* 0 if none */
	char name[16];
	struct process_libraries libraries;
	int has_variable; /* 1: the process's LD_PRELOAD names the preload library */
};

/* Inspects the command and its descendants. */
static void inspect_processes(struct unseen *unseen)
{
	pid_t pids[PROCESSES_MAX] = {unseen->command};
	size_t count = 1;
	char path[40];

	for (size_t i = 0; i < count && !unseen->found; i++) {
		FILE *children;

		process_libraries(pids[i], &unseen->libraries);
		if (unseen->libraries.blas[0] && !unseen->libraries.has_shim) {
			unseen->has_variable =
				process_environment_has(pids[i], "LD_PRELOAD", SHIM_NAME, 1);
			process_name(pids[i], unseen->name, sizeof unseen->name);
			unseen->found = pids[i];
		}
		/* the children of its main thread, which are nearly all of its children */
		snprintf(path, sizeof path, "task/%d/children", (int)pids[i]);
		children = process_open(pids[i], path);
		while (children && count < PROCESSES_MAX &&
		       fscanf(children, "%d", &pids[count]) == 1)
			count++;
		if (children)
			fclose(children);
	}
}

static void *run_unseen(void *data)
{
	struct unseen *unseen = data;
	struct pollfd end = {.fd = unseen->ends[0]};

	for (int wait_ms = FIRST_LOOK_MS; !unseen->found && !poll(&end, 1, wait_ms);) {
		inspect_processes(unseen);
		wait_ms = wait_ms * 2 < LAST_LOOK_MS ? wait_ms * 2 : LAST_LOOK_MS;
	}
	return NULL;
}

struct unseen *unseen_start(pid_t command)
{
	struct unseen *unseen = calloc(1, sizeof *unseen);

	if (!unseen || pipe2(unseen->ends, O_CLOEXEC)) {
		free(unseen);
		return NULL;
	}
	unseen->command = command;
	if (!launch_thread(&unseen->thread, run_unseen, unseen))
		return unseen;
	close(unseen->ends[0]);
	close(unseen->ends[1]);
	free(unseen);
	return NULL;
}

void unseen_finish(struct unseen *unseen, struct run *run)
{
	if (!unseen)
		return;
	close(unseen->ends[1]);
	pthread_join(unseen->thread, NULL);
	close(unseen->ends[0]);
	if (unseen->found)
		run_add_note(run, "process_not_intercepted", "%s (process %d) uses %s%s",
			     unseen->name, (int)unseen->found, unseen->libraries.blas,
			     unseen->has_variable
				     ? ""
				     : ", and LD_PRELOAD was removed from its environment");
	free(unseen);
}
