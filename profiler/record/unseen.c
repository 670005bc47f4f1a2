/* unseen.c: looks into /proc for BLAS in processes that have no preload library. */
/* SPDX-License-Identifier: MIT */
#include "record/unseen.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/blas_objects.h"
#include "shim/layout.h"

#define FIRST_LOOK_MS 5
#define LAST_LOOK_MS  1000
#define PROCESSES_MAX 64 /* that are looked at in one go */

struct unseen {
	pthread_t thread;
	int ends[2]; /* a pipe: closed at one end when it is time to finish */
	pid_t command;
	pid_t found; /* 0: none */
	char name[16], library[256];
	int is_told; /* 1: its environment names the preload library */
};

static FILE *open_proc(pid_t pid, const char *what)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, what);
	return fopen(path, "re");
}

/* 1 where BLAS is mapped and the preload library, which is mapped before any other, is not. */
static int has_blas_alone(pid_t pid, char *library, size_t size)
{
	FILE *maps = open_proc(pid, "maps");
	char *line = NULL;
	size_t room = 0;
	int found = 0, is_seen = 0;

	while (maps && !is_seen && getline(&line, &room, maps) > 0) {
		char *path = strchr(line, '/');

		if (!path)
			continue;
		path[strcspn(path, "\n")] = '\0';
		is_seen = strstr(path, "/" SHIM_NAME) != NULL;
		if (!found && blas_object_known(path)) {
			snprintf(library, size, "%s", strrchr(path, '/') + 1);
			found = 1;
		}
	}
	free(line);
	if (maps)
		fclose(maps);
	return found && !is_seen;
}

/* 1 where LD_PRELOAD has the preload library, as the process was started. */
static int environment_tells(pid_t pid)
{
	FILE *environment = open_proc(pid, "environ");
	char *entry = NULL;
	size_t room = 0;
	int tells = 0;

	while (environment && !tells && getdelim(&entry, &room, '\0', environment) > 0)
		tells = !strncmp(entry, "LD_PRELOAD=", 11) && strstr(entry, SHIM_NAME);
	free(entry);
	if (environment)
		fclose(environment);
	return tells;
}

static void read_name(pid_t pid, char *name, size_t size)
{
	FILE *file = open_proc(pid, "comm");

	if (file && fgets(name, (int)size, file))
		name[strcspn(name, "\n")] = '\0';
	if (file)
		fclose(file);
}

/* The children of the process's first thread, which are nearly all. */
static size_t add_children(pid_t pid, pid_t *pids, size_t count)
{
	char what[40];
	FILE *children;
	int child;

	snprintf(what, sizeof what, "task/%d/children", (int)pid);
	children = open_proc(pid, what);
	while (children && count < PROCESSES_MAX && fscanf(children, "%d", &child) == 1)
		pids[count++] = child;
	if (children)
		fclose(children);
	return count;
}

static void look(struct unseen *unseen)
{
	pid_t pids[PROCESSES_MAX] = {unseen->command};
	size_t count = 1;

	for (size_t i = 0; i < count && !unseen->found; i++) {
		if (has_blas_alone(pids[i], unseen->library, sizeof unseen->library)) {
			unseen->is_told = environment_tells(pids[i]);
			read_name(pids[i], unseen->name, sizeof unseen->name);
			unseen->found = pids[i];
		}
		count = add_children(pids[i], pids, count);
	}
}

static void *run_unseen(void *data)
{
	struct unseen *unseen = data;
	struct pollfd end = {.fd = unseen->ends[0]};

	for (int wait_ms = FIRST_LOOK_MS; !unseen->found && !poll(&end, 1, wait_ms);) {
		look(unseen);
		wait_ms = wait_ms * 2 < LAST_LOOK_MS ? wait_ms * 2 : LAST_LOOK_MS;
	}
	return NULL;
}

static int start_thread(struct unseen *unseen)
{
	sigset_t all, before;
	int status;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	status = pthread_create(&unseen->thread, NULL, run_unseen, unseen);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return status;
}

struct unseen *unseen_start(pid_t command)
{
	struct unseen *unseen = calloc(1, sizeof *unseen);

	if (!unseen || pipe2(unseen->ends, O_CLOEXEC)) {
		free(unseen);
		return NULL;
	}
	unseen->command = command;
	if (!start_thread(unseen))
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
			     unseen->name, (int)unseen->found, unseen->library,
			     unseen->is_told ? "" : ", and LD_PRELOAD was taken from its environment");
	free(unseen);
}
