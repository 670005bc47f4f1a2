/* main.c: finds the subcommand that the command line names, and runs it. */
/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/stack.h"

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

/* Where standard input, output or error is closed, a file that is opened later would take its place
 * and get what is written to it. What is put there can neither be read nor written, and is closed
 * again for the command. */
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

struct words {
	int count;
	char **words;
};

static int run(void *data)
{
	const struct words *line = data;
	const struct command *command = find_command(line->count > 1 ? line->words[1] : NULL);
	int skip = command != &command_run;
	enum option_kind asked;
	struct error err;
	char **arguments;

	hold_standard_files();
	output_fit(stdout);
	if (command_parse(command, line->count - skip, line->words + skip, &arguments, &asked,
			  &err))
		return output_failure(&err);
	if (asked == OPTION_HELP)
		command_print_help(command, stdout);
	else if (asked == OPTION_VERSION)
		command_print_version(command, stdout);
	else
		return command->run(arguments);
	return output_finish();
}

int main(int argc, char **argv)
{
	struct words line = {argc, argv};

	return stack_run(run, &line);
}
