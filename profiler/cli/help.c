/* help.c: prints a command's help and version from its tables, in the format that help2man reads.
 */
/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "cli/command.h"

#include <string.h>

#include "base/array.h"
#include "base/nearest.h"
#include "base/string_pool.h"
#include "launch/launch.h"
#include "machine/machine.h"
#include "symbols/symbols.h"
#include "wire/layout.h"
#include "write/terminal.h"
#include "write/format.h"

#define HELP_COLUMN 26 /* of the text beside an option's name */
#define HELP_WIDTH  79

/* Groups of commands, by the environment variables that they read. */
enum readers { ALL_READ, STARTERS_READ, RECORDERS_READ, REPORTERS_READ, SESSIONS_READ };
static const struct command *const readers[][6] = {
	[STARTERS_READ] = {&command_run, &command_try},
	[RECORDERS_READ] = {&command_run, &command_try, &command_recover},
	[REPORTERS_READ] = {&command_run, &command_try, &command_report, &command_recover,
			    &command_doctor},
	[SESSIONS_READ] = {&command_run, &command_try, &command_top, &command_report,
			   &command_recover, &command_doctor},
};

/* The environment variables that blasprof reads; variables with the same purpose share a row.
 * Variables that only the profiled program reads are not listed. */
static const struct {
	const char *name; /* "NO_COLOR"; with next: the name of the group */
	/* returns the name of variable `index` of the group, or NULL after the last */
	const char *(*next)(size_t index);
	const char *help;
	enum readers readers;
} variables[] = {
	{"COLUMNS", NULL,
	 "width of the text output (default: the width of the terminal, or " STRING(
		 TERMINAL_WIDTH) ")"},
	{"NO_COLOR", NULL, "if not empty, disables colours"},
	{"TERM", NULL,
	 "type of the terminal; if unset or dumb, colours and the full screen are disabled"},
	{"TMPDIR", NULL,
	 "directory for records while a program runs, if /dev/shm has less than 128 MiB, and for "
	 "temporary files (default /tmp)",
	 SESSIONS_READ},
	{"BLASPROF_TMPDIR", NULL,
	 "if set, the only directory for records while a program runs; an absolute path",
	 SESSIONS_READ},
	{"XDG_CACHE_HOME", NULL,
	 "directory for the machine's measured ceilings, in its subdirectory blasprof (default: "
	 "$HOME/.cache)",
	 REPORTERS_READ},
	{"HOME", NULL, "see XDG_CACHE_HOME", REPORTERS_READ},
	{"PATH", NULL, "directories to search for COMMAND", STARTERS_READ},
	{"LD_PRELOAD", NULL, "libraries to preload into COMMAND after blasprof's own",
	 STARTERS_READ},
	{"LD_AUDIT", NULL,
	 "if set, as if LD_PRELOAD is, blasprof keeps descriptors that it was started with, as in "
	 "blasprof-costs(7)",
	 STARTERS_READ},
	{"ASAN_OPTIONS", NULL,
	 "extended for COMMAND, so that programs with AddressSanitizer run although blasprof's "
	 "library is loaded first",
	 STARTERS_READ},
	{"LISTEN_PID", NULL,
	 "if it names blasprof's process, set for COMMAND to its own, which systemd's sockets are "
	 "for",
	 STARTERS_READ},
	{"WATCHDOG_PID", NULL, "likewise, for systemd's watchdog", STARTERS_READ},
	{"SYSTEMD_EXEC_PID", NULL, "likewise, for systemd's journal", STARTERS_READ},
	{"OMP_TOOL_LIBRARIES", NULL,
	 "if set, blasprof is no tool of COMMAND's OpenMP library, and samples tell how long "
	 "threads spin in it",
	 STARTERS_READ},
	{ITT_VARIABLE, NULL,
	 "set for COMMAND, unless it is already set, to the path of blasprof's library, so that "
	 "oneDNN reports its primitives",
	 STARTERS_READ},
	{JIT_VARIABLE, NULL, "likewise, so that oneDNN reports the code that it generates",
	 STARTERS_READ},
	{SESSION_VARIABLE, NULL,
	 "set for COMMAND to the directory in which its processes keep their records",
	 STARTERS_READ},
	{WALL_VARIABLE, NULL,
	 "set for COMMAND: says whether a seccomp filter might kill its processes for keeping "
	 "records",
	 STARTERS_READ},
	{"DEBUGINFOD_URLS", NULL, "servers to ask for debug information, to find function names",
	 RECORDERS_READ},
	{"DEBUGINFOD_TIMEOUT", NULL,
	 "seconds to wait for such a server (default " SERVERS_TIMEOUT_S ")", RECORDERS_READ},
	{"of MPI launchers", rank_variable, "tell the rank, the number of ranks and the job",
	 STARTERS_READ},
	{"of BLAS libraries", machine_variable, "stored with each run, as facts about it",
	 STARTERS_READ},
};

/* Prints the text's words in lines at HELP_COLUMN, after a name that has taken `used` columns. No
 * line begins with a minus sign: help2man and the completion would take it for an option. */
static void print_beside(const char *text, int used)
{
	int column = used + 2 > HELP_COLUMN ? HELP_WIDTH : used; /* HELP_WIDTH: the line is full */

	while (*text) {
		size_t length = strcspn(text, " ");

		while (text[length] && text[length + 1] == '-')
			length += 1 + strcspn(text + length + 1, " ");
		if (column > HELP_COLUMN && column + 1 + (int)length > HELP_WIDTH) {
			putchar('\n');
			column = 0;
		}
		column += printf("%*s", column > HELP_COLUMN ? 1 : HELP_COLUMN - column, "");
		column += printf("%.*s", (int)length, text);
		text += length + (text[length] == ' ');
	}
	putchar('\n');
}

void help_print_row(const char *name, const char *text)
{
	print_beside(text, printf("  %s", name));
}

void help_print_formats(void)
{
	printf("\nFormats:\n");
	for (size_t i = 0; i < report_formats_count; i++)
		help_print_row(report_formats[i].name, report_formats[i].says);
}

void help_print_table_formats(void)
{
	printf("\nFormats:\n");
	for (int i = 0; i < TABLE_FORMATS; i++)
		help_print_row(table_formats[i].name, table_formats[i].says);
}

void command_print_help(const struct command *command)
{
	const struct option_row *row;

	printf("Usage: blasprof%s%s %s\n%s\n\nOptions:\n", *command->name ? " " : "", command->name,
	       command->usage, command->about);
	for (size_t i = 0; (row = command_option(command, i)); i++) {
		int used = row->letter ? printf("  -%c, --%s", row->letter, row->name)
				       : printf("      --%s", row->name);

		if (row->argument)
			used += printf("=%s", row->argument);
		print_beside(row->help, used);
	}
	if (command->print_more)
		command->print_more();
	printf("\nEnvironment:\n");
	EACH_ROW(variable, variables, COUNT(variables)) {
		int is_read = variable->readers == ALL_READ;
		const char *text = variable->help, *name;

		for (size_t i = 0; i < COUNT(readers[0]); i++)
			is_read |= readers[variable->readers][i] == command;
		for (size_t i = 0; variable->next && (name = variable->next(i)); i++)
			if (!strstr(text, name))
				text = string_printf("%s%s %s", text, i ? "," : ":", name);
		if (is_read)
			help_print_row(variable->name, text);
	}
}

void command_print_version(const struct command *command)
{
	if (*command->name)
		printf("blasprof-%s (%s) %s\n", command->name, PACKAGE_NAME, PACKAGE_VERSION);
	else
		printf("%s %s\n", PACKAGE_NAME, PACKAGE_VERSION);
	printf("Copyright (C) 2026 the blasprof developers.\n"
	       "Licence MIT: you may use, change and share it. There is no warranty.\n");
}

static int run_help(char **arguments, struct error *err)
{
	const struct command *command = &command_run;
	struct nearest nearest = {.wanted = *arguments};

	for (size_t i = 0; *arguments && subcommands[i]; i++) {
		nearest_offer(&nearest, subcommands[i]->name);
		if (!strcmp(subcommands[i]->name, *arguments))
			command = subcommands[i];
	}
	if (*arguments && command == &command_run)
		return error_set(err,
				 nearest_all(&nearest)
					 ? string_printf("there are %s", nearest_all(&nearest))
					 : string_printf("the nearest is '%s'", nearest.names[0]),
				 "there is no subcommand '%s'", *arguments);
	command_print_help(command);
	return 0;
}

const struct command command_help = {
	.name = "help",
	.usage = "[OPTION]... [SUBCOMMAND]",
	.purpose = "print the help of a subcommand",
	.about = "Print the help of SUBCOMMAND, like its option --help. Without SUBCOMMAND,\n"
		 "print the help of blasprof itself.",
	.operands_more = 1,
	.run = run_help,
};
