/* variables.c: the table of environment variables, and the help's section on them. */
/* SPDX-License-Identifier: MIT */
#include "cli/variables.h"

#include <string.h>

#include "machine/machine.h"
#include "launch/ranks.h"
#include "symbols/symbols.h"
#include "write/paper.h"
#include "wire/layout.h"

/* clang-format off */
const struct variable_row variables[] = {
	{.name = "COLUMNS",
	 .help = "how wide text for people is (default: as the terminal, else\n" STRING(PAPER_WIDTH) ")"},
	{.name = "NO_COLOR",
	 .help = "where it is not empty, nothing has colours"},
	{.name = "TERM",
	 .help = "the kind of terminal; one that is unset or dumb gets no\ncolours and no screen"},
	{.name = "TMPDIR",
	 .help = "where what is kept while a program runs goes when /dev/shm\n"
		 "has no room, and what is drawn goes (default /tmp)",
	 .readers = {&command_run, &command_top, &command_report, &command_recover,
		     &command_doctor}},
	{.name = "XDG_CACHE_HOME",
	 .help = "where the machine's measured ceilings and the names of its\n"
		 "kernel's functions are kept, in a folder blasprof\n"
		 "(default: .cache in the folder HOME)",
	 .readers = {&command_run, &command_top, &command_report, &command_recover,
		     &command_doctor}},
	{.name = "HOME",
	 .help = "see XDG_CACHE_HOME",
	 .readers = {&command_run, &command_top, &command_report, &command_recover,
		     &command_doctor}},
	{.name = "PATH",
	 .help = "where COMMAND is looked for",
	 .readers = {&command_run, &command_top}},
	{.name = "LD_PRELOAD",
	 .help = "COMMAND is run with blasprof's library before those in it",
	 .readers = {&command_run, &command_top}},
	{.name = "ASAN_OPTIONS",
	 .help = "where COMMAND needs AddressSanitizer's library, it is told\n"
		 "that blasprof's library comes before",
	 .readers = {&command_run, &command_top}},
	{.name = SESSION_VARIABLE,
	 .help = "set for COMMAND: names the folder in which its processes\n"
		 "keep their records",
	 .readers = {&command_run, &command_top}},
	{.name = "DEBUGINFOD_URLS",
	 .help = "servers that are asked for debug information, for the\n"
		 "names of functions",
	 .readers = {&command_run, &command_top, &command_recover}},
	{.name = "DEBUGINFOD_TIMEOUT",
	 .help = "after how many seconds such a server is given up\n(default " SERVERS_TIMEOUT_S ")",
	 .readers = {&command_run, &command_top, &command_recover}},
	{.name = "of MPI launchers",
	 .next = rank_variable,
	 .help = "which rank this is, of how many, of which job",
	 .readers = {&command_run, &command_top}},
	{.name = "of BLAS libraries",
	 .next = machine_variable,
	 .help = "these are kept with each run, as facts of it",
	 .readers = {&command_run, &command_top}},
};
/* clang-format on */
const size_t variables_count = COUNT(variables);

static int is_read(const struct variable_row *row, const struct command *command)
{
	for (size_t i = 0; i < VARIABLE_READERS && row->readers[i]; i++)
		if (row->readers[i] == command)
			return 1;
	return !row->readers[0];
}

#define NAMES_MAX   1024
#define NAMES_WIDTH 56 /* of a line of them */

/* The text, then the names, parted by commas, in lines that stand beside the row's name. */
static void print_several(const struct variable_row *row, FILE *out)
{
	char text[NAMES_MAX];
	size_t used = (size_t)snprintf(text, sizeof text, "%s:\n", row->help), line = used;
	const char *name;

	for (size_t i = 0; (name = row->next(i)) && used + strlen(name) + 4 < sizeof text; i++) {
		const char *gap = !i ? "" : used - line + strlen(name) > NAMES_WIDTH ? ",\n" : ", ";

		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", gap, name);
		if (*gap && gap[1] == '\n')
			line = used - strlen(name);
	}
	help_print_row(row->name, text, out);
}

static void print_row(const struct variable_row *row, FILE *out)
{
	if (row->next)
		print_several(row, out);
	else
		help_print_row(row->name, row->help, out);
}

void variables_print(const struct command *command, FILE *out)
{
	fputs("\nEnvironment:\n", out);
	for (size_t i = 0; i < variables_count; i++)
		if (is_read(&variables[i], command))
			print_row(&variables[i], out);
}
