/* main.c: finds the subcommand that the command line names, and runs it. */
/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/command.h"
#include "cli/output.h"

const struct command *const subcommands[] = {
	&command_report,
	&command_predict,
	&command_compare,
	&command_list,
	&command_routines,
	&command_recover,
	&command_doctor,
	NULL,
};

static const struct command *find_command(const char *word)
{
	for (size_t i = 0; word && subcommands[i]; i++)
		if (!strcmp(subcommands[i]->name, word))
			return subcommands[i];
	return &command_run;
}

int main(int argc, char **argv)
{
	const struct command *command = find_command(argc > 1 ? argv[1] : NULL);
	int skip = command != &command_run;
	enum option_kind asked;
	struct error err;
	char **arguments;

	if (command_parse(command, argc - skip, argv + skip, &arguments, &asked, &err))
		return output_failure(&err);
	if (asked == OPTION_HELP)
		command_print_help(command, stdout);
	else if (asked == OPTION_VERSION)
		command_print_version(command, stdout);
	else
		return command->run(arguments);
	return output_finish();
}
