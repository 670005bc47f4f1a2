/* sentinel.c: a process that tells whether a signal was sent to the whole process group. */
/* SPDX-License-Identifier: MIT */
#include "launch/launch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire/files.h"

#define NAME	  "sentinel"
#define ANSWER_MS 1000
#define FILES_MAX 1024

static pid_t sentinel = -1;
static volatile int asked = -1; /* a socket */

/* Answers each signal's number by 1 if that signal is pending, and takes it, or by 0. */
static __attribute__((noreturn)) void stand(int asker)
{
	unsigned char byte;

	/* commands that look for processes named blasprof, such as killall, do not mean this one */
	prctl(PR_SET_NAME, NAME);
	strncpy(program_invocation_name, NAME, strlen(program_invocation_name));
	dup2(asker, STDIN_FILENO);
	if (close_range(STDIN_FILENO + 1, ~0u, 0))
		for (int fd = STDIN_FILENO + 1; fd < FILES_MAX; fd++)
			close(fd);
	while (read(STDIN_FILENO, &byte, 1) == 1) {
		sigset_t number;

		sigemptyset(&number);
		sigaddset(&number, byte);
		byte = sigtimedwait(&number, NULL, &(struct timespec){0}) > 0;
		if (write(STDIN_FILENO, &byte, 1) != 1)
			break;
	}
	_exit(0);
}

void sentinel_start(void)
{
	sigset_t all, before;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	sentinel = fork();
	if (!sentinel)
		stand(ends[1]);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(ends[1]);
	asked = ends[0];
	if (sentinel < 0)
		sentinel_end();
}

int sentinel_got(int number)
{
	struct pollfd answer = {.fd = asked, .events = POLLIN};
	unsigned char byte = (unsigned char)number;

	if (asked >= 0 && send(asked, &byte, 1, MSG_NOSIGNAL) == 1 &&
	    poll(&answer, 1, ANSWER_MS) == 1 && read(asked, &byte, 1) == 1)
		return byte;
	file_close(asked);
	asked = -1;
	return -1;
}

void sentinel_end(void)
{
	file_close(asked);
	asked = -1;
	if (sentinel > 0)
		kill(sentinel, SIGKILL); /* it may be stopped */
	while (sentinel > 0 && waitpid(sentinel, NULL, 0) < 0 && errno == EINTR)
		;
	sentinel = -1;
}
