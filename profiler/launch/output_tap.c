/* output_tap.c: passes on the command's standard output, and finds a number in it. */
/* SPDX-License-Identifier: MIT */
#include "launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "wire/clock.h"

#define LINE_BYTES   4096 /* of longer lines, only the beginning is matched */
#define AFTER_END_MS 200  /* how long to wait for output of descendants after the command's end */

struct output_tap {
	regex_t pattern;
	int is_rate;
	int ends[2]; /* read and write end; -1: closed */
	pthread_t thread;
	int started;
	int is_last;	    /* 1: blasprof does not need its stdout after this */
	volatile int ended; /* 1: the command has ended */
	char line[LINE_BYTES];
	size_t length;
	int found;
	double number;
};

int output_tap_open(struct output_tap **tap, const char *pattern, struct error *err)
{
	struct output_tap *made;
	const char *expression = pattern;
	char why[128];
	int status;

	*tap = NULL;
	if (!pattern || !strcmp(pattern, "flops") || !strcmp(pattern, "steps"))
		return 0;
	made = calloc(1, sizeof *made);
	if (!made)
		return error_out_of_memory(err);
	made->is_rate = strstr(pattern, "/s") || strstr(pattern, "per second");
	if (!strncmp(pattern, "rate=", 5) || !strncmp(pattern, "amount=", 7)) {
		made->is_rate = *pattern == 'r';
		expression = strchr(pattern, '=') + 1;
	}
	status = regcomp(&made->pattern, expression, REG_EXTENDED);
	if (status) {
		regerror(status, &made->pattern, why, sizeof why);
		free(made);
		return error_set(err, "write it like 'trn/s ([0-9.]+)'",
				 "'%s' is no regular expression: %s", expression, why);
	}
	if (!made->pattern.re_nsub)
		error_set(err, "put parentheses around the number, like 'trn/s ([0-9.]+)'",
			  "the regular expression '%s' has no group", expression);
	else if (pipe2(made->ends, O_CLOEXEC))
		error_set(err, error_remedy(errno, ""), "cannot make a pipe: %s", strerror(errno));
	else
		*tap = made;
	if (*tap)
		return 0;
	regfree(&made->pattern);
	free(made);
	return -1;
}

int output_tap_fd(const struct output_tap *tap)
{
	return tap->ends[1];
}

static void match_line(struct output_tap *tap)
{
	regmatch_t matches[2];
	char *end;
	double number;

	tap->line[tap->length] = '\0';
	tap->length = 0;
	if (regexec(&tap->pattern, tap->line, 2, matches, 0) || matches[1].rm_so < 0)
		return;
	tap->line[matches[1].rm_eo] = '\0';
	number = strtod(tap->line + matches[1].rm_so, &end);
	if (*end || end == tap->line + matches[1].rm_so || !(number > 0))
		return;
	tap->number = number;
	tap->found = 1;
}

/* Writes to stdout, and waits if a process that shares it has set O_NONBLOCK. */
static int pass_on(const char *text, size_t length)
{
	struct pollfd poll_write = {.fd = STDOUT_FILENO, .events = POLLOUT};

	while (length > 0) {
		ssize_t put = write(STDOUT_FILENO, text, length);

		if (put < 0 && errno == EAGAIN)
			poll(&poll_write, 1, -1);
		else if (put < 0 && errno != EINTR)
			return -1;
		if (put > 0) {
			text += put;
			length -= (size_t)put;
		}
	}
	return 0;
}

/* Starts a process that passes on what descendants of the command still write, or drops it. */
static void pass_on_later(int from, int drops)
{
	char name[] = "cat", *const arguments[] = {name, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, own;
	pid_t child;

	sigemptyset(&none);
	sigemptyset(&own);
	sigaddset(&own, SIGPIPE);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (drops)
		posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &own);
	posix_spawnp(&child, name, &actions, &attributes, arguments, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
}

/* Ends at the end of the output, or if nobody reads stdout any more: then the command finds its
 * pipe closed, as without the tap. Text that cannot be written for another reason, such as a full
 * disk or a stdout that is closed, is dropped: without the tap, SIGPIPE would not end the command.
 */
static void *run_tap(void *data)
{
	struct output_tap *tap = data;
	struct pollfd poll_read = {.fd = tap->ends[0], .events = POLLIN};
	int64_t late_ns = INT64_MAX; /* when a descendant may go on writing without this thread */
	int left = INT_MAX;	     /* bytes that the command may have written itself */
	int drops = 0;		     /* 1: the last text could not be written */
	char text[16384];

	for (;;) {
		int had_ended = tap->ended, ready = poll(&poll_read, 1, AFTER_END_MS);
		int64_t now_ns = clock_ns(CLOCK_MONOTONIC);
		ssize_t got;

		if (had_ended && (!ready || now_ns > late_ns)) {
			pass_on_later(tap->ends[0], drops);
			break;
		}
		if (had_ended && left == INT_MAX)
			ioctl(tap->ends[0], FIONREAD, &left);
		if (left <= 0 && late_ns == INT64_MAX)
			late_ns = now_ns + AFTER_END_MS * INT64_C(1000000);
		if (ready <= 0)
			continue;
		got = read(tap->ends[0], text, sizeof text);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		left -= left < INT_MAX ? (int)got : 0;
		for (ssize_t i = 0; i < got; i++)
			if (text[i] == '\n')
				match_line(tap);
			else if (tap->length < LINE_BYTES - 1)
				tap->line[tap->length++] = text[i];
		drops = pass_on(text, (size_t)got);
		if (drops && errno == EPIPE)
			break;
	}
	close(tap->ends[0]);
	tap->ends[0] = -1;
	if (tap->is_last)
		launch_release_output();
	return NULL;
}

int output_tap_start(struct output_tap *tap, int is_last, struct error *err)
{
	int status;

	close(tap->ends[1]);
	tap->ends[1] = -1;
	tap->is_last = is_last;
	status = launch_thread(&tap->thread, run_tap, tap);
	tap->started = !status;
	if (!status)
		return 0;
	return error_set(err, "raise the limit on processes (ulimit -u)",
			 "cannot start a thread: %s", strerror(status));
}

int output_tap_finish(struct output_tap *tap, double *number, int *is_rate)
{
	tap->ended = 1;
	if (tap->started)
		pthread_join(tap->thread, NULL);
	tap->started = 0;
	if (tap->length)
		match_line(tap);
	*number = tap->number;
	*is_rate = tap->is_rate;
	return tap->found;
}

void output_tap_free(struct output_tap *tap)
{
	double number;
	int is_rate;

	if (!tap)
		return;
	if (tap->started)
		output_tap_finish(tap, &number, &is_rate);
	for (int i = 0; i < 2; i++)
		if (tap->ends[i] >= 0)
			close(tap->ends[i]);
	regfree(&tap->pattern);
	free(tap);
}
