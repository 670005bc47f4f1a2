/* top_start.c: starts the profile that `blasprof top` looks at. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/top.h"

/* In the child: becomes `blasprof -q`. A screen needs the keys for itself. */
static void become_profile(char **words, const struct top_child *child)
{
	int nothing;

	if (child->outputs[0] && child->outputs[1]) {
		nothing = open("/dev/null", O_RDONLY);
		dup2(nothing, STDIN_FILENO);
		dup2(fileno(child->outputs[0]), STDOUT_FILENO);
		dup2(fileno(child->outputs[1]), STDERR_FILENO);
	}
	execv("/proc/self/exe", words);
	_exit(127);
}

static char **make_words(char **command, const char *store)
{
	size_t count = 0;
	char **words;

	while (command[count])
		count++;
	words = calloc(count + 6, sizeof *words);
	if (!words)
		return NULL;
	words[0] = (char *)(uintptr_t) "blasprof";
	words[1] = (char *)(uintptr_t) "-q";
	words[2] = (char *)(uintptr_t) "-o";
	words[3] = (char *)(uintptr_t)store;
	words[4] = (char *)(uintptr_t) "--";
	memcpy(words + 5, command, count * sizeof *words);
	return words;
}

int top_child_start(char **command, const char *store, int hide, struct top_child *child,
		    struct error *err)
{
	char **words = make_words(command, store);

	*child = (struct top_child){0};
	if (!words)
		return error_out_of_memory(err);
	for (int i = 0; i < 2 && hide; i++)
		child->outputs[i] = tmpfile();
	child->pid = fork();
	if (!child->pid)
		become_profile(words, child);
	free(words);
	if (child->pid < 0)
		return error_set(err, "free some memory, or end other processes",
				 "cannot start a process: %s", strerror(errno));
	return 0;
}

int top_child_ended(struct top_child *child)
{
	if (!child->ended && waitpid(child->pid, &child->status, WNOHANG) == child->pid)
		child->ended = 1;
	return child->ended;
}

static void hand_on(FILE *output, FILE *to)
{
	char text[4096];
	size_t got;

	rewind(output);
	while ((got = fread(text, 1, sizeof text, output)))
		fwrite(text, 1, got, to);
	fclose(output);
}

int top_child_end(struct top_child *child)
{
	while (!child->ended) {
		pid_t pid = waitpid(child->pid, &child->status, 0);

		child->ended = pid == child->pid || (pid < 0 && errno != EINTR);
	}
	for (int i = 0; i < 2; i++)
		if (child->outputs[i])
			hand_on(child->outputs[i], i ? stderr : stdout);
	return WIFSIGNALED(child->status) ? 128 + WTERMSIG(child->status)
					  : WEXITSTATUS(child->status);
}
