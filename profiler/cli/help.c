/* help.c: prints a command's help and version from its tables, laid out so that help2man reads
 * them. */
/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "cli/command.h"

#include <string.h>

#include "cli/variables.h"
#include "write/table_format.h"

#define HELP_COLUMN 26 /* where the text beside an option's name starts */

static const char *gap(const struct command *command)
{
	return *command->name ? " " : "";
}

/* Prints the text beside a name that has taken `used` columns, each line at HELP_COLUMN. */
static void print_beside(const char *text, int used, FILE *out)
{
	const char *end;

	if (used + 2 > HELP_COLUMN) {
		fputc('\n', out);
		used = 0;
	}
	for (; text; text = end ? end + 1 : NULL, used = 0) {
		end = strchr(text, '\n');
		fprintf(out, "%*s%.*s\n", HELP_COLUMN - used, "",
			end ? (int)(end - text) : (int)strlen(text), text);
	}
}

static void print_option(const struct option_row *row, FILE *out)
{
	int used;

	if (row->letter)
		used = fprintf(out, "  -%c, --%s", row->letter, row->name);
	else
		used = fprintf(out, "      --%s", row->name);
	if (row->argument)
		used += fprintf(out, "=%s", row->argument);
	print_beside(row->help, used, out);
}

void help_print_row(const char *name, const char *text, FILE *out)
{
	print_beside(text, fprintf(out, "  %s", name), out);
}

void help_print_table_formats(FILE *out)
{
	fputs("\nFormats:\n", out);
	for (int i = 0; i < TABLE_FORMATS; i++)
		help_print_row(table_formats[i].name, table_formats[i].says, out);
}

void command_print_help(const struct command *command, FILE *out)
{
	const struct option_row *row;

	fprintf(out, "Usage: blasprof%s%s %s\n", gap(command), command->name, command->usage);
	fprintf(out, "%s\n\nOptions:\n", command->about);
	for (size_t i = 0; (row = command_option(command, i)); i++)
		print_option(row, out);
	if (command->print_more)
		command->print_more(out);
	variables_print(command, out);
}

void command_print_version(const struct command *command, FILE *out)
{
	if (*command->name)
		fprintf(out, "blasprof-%s (%s) %s\n", command->name, PACKAGE_NAME, PACKAGE_VERSION);
	else
		fprintf(out, "%s %s\n", PACKAGE_NAME, PACKAGE_VERSION);
	fputs("Copyright (C) 2026 the blasprof developers.\n"
	      "Licence MIT: you may use, change and share it. There is no warranty.\n",
	      out);
}
