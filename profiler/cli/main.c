/* main.c: finds the subcommand named on the command line, and runs it. */
/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/command.h"

const struct command *const subcommands[] = {
#define SUBCOMMAND(name) &command_##name,
	SUBCOMMAND_ROWS(SUBCOMMAND)
#undef SUBCOMMAND
		NULL,
};

struct command_line {
	int argc;
	char **argv;
	int status;
};

static int run_command(int argc, char **argv)
{
	const struct command *command = &command_run;
	enum option_kind asked;
	struct error err;
	char **arguments;
	int status = 0;

	for (size_t i = 0; argc > 1 && subcommands[i]; i++)
		if (!strcmp(subcommands[i]->name, argv[1]))
			command = subcommands[i];
	if (command != &command_run) {
		argc--;
		argv++;
	}
	/* A file opened later must not take the number of a standard descriptor that is closed, and
	 * receive our output. The direction is wrong on purpose, so that reads and writes still
	 * fail; O_CLOEXEC closes these again for the command. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0) /* open() takes the lowest free number */
			open("/dev/null", O_CLOEXEC | (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY));
	output_fit(stdout);
	if (command_parse(command, argc, argv, &arguments, &asked, &err))
		return output_failure(&err);
	if (asked == OPTION_HELP || (argc < 2 && command == &command_run))
		command_print_help(command);
	else if (asked == OPTION_VERSION)
		command_print_version(command);
	else
		status = command->run(arguments, &err);
	if (status < 0)
		return output_failure(&err);
	return status ? status : output_finish();
}

static void *run_line(void *data)
{
	struct command_line *line = data;

	line->status = run_command(line->argc, line->argv);
	return NULL;
}

#define USUAL_STACK_BYTES ((size_t)8 << 20) /* Linux's default limit */

/* Runs the command line in a thread with a stack of the usual size, which receives all signals in
 * place of this thread. Threads started later get such a stack too. The limit itself stays as it
 * is, because the command inherits it. Returns 0 if the thread has run. */
static int run_on_usual_stack(struct command_line *line)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, before;
	int failed;

	pthread_attr_init(&attributes);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_attr_setstacksize(&attributes, USUAL_STACK_BYTES) ||
		 pthread_setattr_default_np(&attributes) ||
		 pthread_attr_setsigmask_np(&attributes, &before) ||
		 pthread_create(&thread, &attributes, run_line, line);
	pthread_attr_destroy(&attributes);
	if (failed)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	else
		pthread_join(thread, NULL);
	return failed;
}

/* Ends by the signal, so that the parent sees what it would see without blasprof. Returns the exit
 * status if that is not possible, as in the first process of a container. */
static int end_by(int number)
{
	sigset_t set;

	fflush(NULL);
	prctl(PR_SET_DUMPABLE, 0); /* only the command leaves a core file */
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
	return 128 + number;
}

int main(int argc, char **argv)
{
	struct command_line line = {argc, argv, 0};
	struct rlimit limit;
	/* libdw and SQLite need more stack than a low limit (ulimit -s) allows */
	int is_small = !getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur < USUAL_STACK_BYTES;

	if (!is_small || run_on_usual_stack(&line))
		run_line(&line);
	return line.status > STATUS_SIGNAL ? end_by(line.status - STATUS_SIGNAL) : line.status;
}
