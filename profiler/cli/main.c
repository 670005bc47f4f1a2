/* main.c: finds the subcommand that the command line names, and runs it. */
/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/output.h"

const struct command *const subcommands[] = {
	&command_report,
	&command_predict,
	&command_compare,
	&command_list,
	&command_routines,
	&command_top,
	&command_recover,
	&command_import,
	&command_doctor,
	&command_completion,
	NULL,
};

static const struct command *find_command(const char *word)
{
	for (size_t i = 0; word && subcommands[i]; i++)
		if (!strcmp(subcommands[i]->name, word))
			return subcommands[i];
	return &command_run;
}

/* Where standard input, output or error is closed, a file that is opened later would take its place and get what
 * is written to it. What is put there can neither be read nor written, and is closed again for the command. */
static void hold_standard_files(void)
{
	int fd;

	do
		fd = open("/dev/null", O_CLOEXEC | O_WRONLY);
	while (fd == STDIN_FILENO);
	if (fd == STDOUT_FILENO || fd == STDERR_FILENO) {
		close(fd);
		do
			fd = open("/dev/null", O_CLOEXEC | O_RDONLY);
		while (fd >= 0 && fd <= STDERR_FILENO);
	}
	if (fd >= 0)
		close(fd);
}

/* libdw takes more than 100 KiB to find a line. */
#define STACK_ENOUGH_BYTES (1u << 20)
#define STACK_BYTES	   (8u << 20)

struct running {
	const struct command *command;
	char **arguments;
	int status;
};

static void *run_running(void *data)
{
	struct running *running = data;

	running->status = running->command->run(running->arguments);
	return NULL;
}

/* Where the stack is limited to less than it takes, in a thread, whose stack is not: the limit is the command's. */
static int run_command(const struct command *command, char **arguments)
{
	struct running running = {command, arguments, STATUS_FAILED};
	struct rlimit limit;
	pthread_attr_t attributes;
	pthread_t thread;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= STACK_ENOUGH_BYTES ||
	    pthread_attr_init(&attributes) ||
	    pthread_attr_setstacksize(&attributes, STACK_BYTES) ||
	    pthread_create(&thread, &attributes, run_running, &running))
		return command->run(arguments);
	pthread_join(thread, NULL);
	return running.status;
}

int main(int argc, char **argv)
{
	const struct command *command = find_command(argc > 1 ? argv[1] : NULL);
	int skip = command != &command_run;
	enum option_kind asked;
	struct error err;
	char **arguments;

	hold_standard_files();
	output_fit(stdout);
	if (command_parse(command, argc - skip, argv + skip, &arguments, &asked, &err))
		return output_failure(&err);
	if (asked == OPTION_HELP)
		command_print_help(command, stdout);
	else if (asked == OPTION_VERSION)
		command_print_version(command, stdout);
	else
		return run_command(command, arguments);
	return output_finish();
}
