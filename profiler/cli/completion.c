/* completion.c: `blasprof completion`: prints a shell's completion script, made from the option
 * tables. */
/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/command.h"
#include "cli/output.h"
#include "report/columns.h"
#include "write/format.h"
#include "write/pictures.h"
#include "write/table_format.h"
#include "write/view.h"

static void print_formats(const struct command *command, FILE *out)
{
	int whole = command == &command_run || command == &command_report;

	for (size_t i = 0; whole && i < report_formats_count; i++)
		fprintf(out, " %s", report_formats[i].name);
	for (size_t i = 0; !whole && i < TABLE_FORMATS; i++)
		fprintf(out, " %s", table_formats[i].name);
}

static void print_tables(const struct command *command, FILE *out)
{
	(void)command;
	for (size_t i = 0; i < report_tables_count; i++)
		fprintf(out, " %s", report_tables[i].name);
}

static void print_pictures(const struct command *command, FILE *out)
{
	(void)command;
	for (size_t i = 0; i < pictures_count; i++)
		fprintf(out, " %s", pictures[i].name);
}

static void print_bys(const struct command *command, FILE *out)
{
	(void)command;
	for (size_t i = 0; i < view_bys_count; i++)
		fprintf(out, " %s", view_bys[i].name);
}

/* Options whose argument is one of a few words. */
static const struct {
	const char *name;
	void (*print)(const struct command *command, FILE *out);
} words_of[] = {
	{"format", print_formats},
	{"table", print_tables},
	{"by", print_bys},
	{"picture", print_pictures},
};

static int takes_file(const struct option_row *row)
{
	return row->argument && (!strcmp(row->argument, "FILE") || !strcmp(row->argument, "DIR"));
}

/* Prints the words that the option's argument can be; 0: not known. */
static int print_words(const struct command *command, const struct option_row *row, FILE *out)
{
	for (size_t i = 0; i < COUNT(words_of); i++)
		if (row->argument && !strcmp(row->name, words_of[i].name)) {
			words_of[i].print(command, out);
			return 1;
		}
	return 0;
}

static void print_names(const struct command *command, FILE *out)
{
	const struct option_row *row;

	for (size_t i = 0; (row = command_option(command, i)); i++) {
		if (row->letter)
			fprintf(out, " -%c", row->letter);
		fprintf(out, " --%s%s", row->name, row->argument ? "=" : "");
	}
}

/* One branch for each option that takes an argument. */
static void bash_arguments(const struct command *command, FILE *out)
{
	const struct option_row *row;

	for (size_t i = 0; (row = command_option(command, i)); i++) {
		if (!row->argument)
			continue;
		fprintf(out, "\t%s:--%s", *command->name ? command->name : "run", row->name);
		if (row->letter)
			fprintf(out, "|%s:-%c", *command->name ? command->name : "run",
				row->letter);
		if (takes_file(row)) {
			fputs(") COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n", out);
			continue;
		}
		fputs(") COMPREPLY=($(compgen -W '", out);
		print_words(command, row, out);
		fputs("' -- \"$cur\")) ;;\n", out);
	}
}

static void bash_options(const struct command *command, FILE *out)
{
	fprintf(out, "\t\t%s) options='", *command->name ? command->name : "run");
	print_names(command, out);
	fputs("' ;;\n", out);
}

static void print_bash(FILE *out)
{
	fputs("# bash completion for blasprof, made by `blasprof completion bash'\n"
	      "_blasprof()\n{\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} word "
	      "options\n"
	      "\tlocal command=run commands='",
	      out);
	for (size_t i = 0; subcommands[i]; i++)
		fprintf(out, " %s", subcommands[i]->name);
	fputs("'\n\tfor word in $commands; do\n"
	      "\t\t[ \"${COMP_WORDS[1]}\" = \"$word\" ] && [ \"$COMP_CWORD\" -gt 1 ] && "
	      "command=$word\n\tdone\n"
	      "\tfor word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
	      "\t\t[ \"$word\" = -- ] || continue\n"
	      "\t\tCOMPREPLY=($(compgen -c -f -- \"$cur\"))\n\t\treturn\n\tdone\n"
	      "\t[ \"$cur\" = '=' ] && cur=\n"
	      "\t[ \"$prev\" = '=' ] && prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
	      "\tcase $command:$prev in\n",
	      out);
	bash_arguments(&command_run, out);
	for (size_t i = 0; subcommands[i]; i++)
		bash_arguments(subcommands[i], out);
	fputs("\t*)\n\t\tcase $command in\n", out);
	bash_options(&command_run, out);
	for (size_t i = 0; subcommands[i]; i++)
		bash_options(subcommands[i], out);
	fputs("\t\tesac\n"
	      "\t\t[ \"$COMP_CWORD\" -eq 1 ] && options=\"$commands $options\"\n"
	      "\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
	      "\t\t[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
	      "\t\t;;\n\tesac\n}\ncomplete -o default -F _blasprof blasprof\n",
	      out);
}

/* The first line of the help, without what zsh takes for its own. */
static void zsh_text(const char *text, FILE *out)
{
	for (; *text; text++)
		if (*text == '\n')
			fputc(' ', out);
		else if (*text == '\'')
			fputs("'\\''", out);
		else if (!strchr("[]:\\", *text))
			fputc(*text, out);
}

static void zsh_option(const struct command *command, const struct option_row *row, FILE *out)
{
	if (row->letter)
		fprintf(out, " \\\n\t\t'(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name,
			row->letter, row->argument ? "+" : "", row->name, row->argument ? "=" : "");
	else
		fprintf(out, " \\\n\t\t'--%s%s[", row->name, row->argument ? "=" : "");
	zsh_text(row->help, out);
	fputc(']', out);
	if (row->argument) {
		fprintf(out, ":%s:", row->argument);
		if (takes_file(row)) {
			fputs("_files", out);
		} else {
			fputc('(', out);
			print_words(command, row, out);
			fputc(')', out);
		}
	}
	fputc('\'', out);
}

static void zsh_options(const struct command *command, FILE *out)
{
	const struct option_row *row;

	fprintf(out, "\t%s)\n\t_arguments -s -S", *command->name ? command->name : "*");
	for (size_t i = 0; (row = command_option(command, i)); i++)
		zsh_option(command, row, out);
	fputs(command->takes_command ? " \\\n\t\t'*::command:_normal'\n\t;;\n"
				     : " \\\n\t\t'*:operand:_files'\n\t;;\n",
	      out);
}

static void print_zsh(FILE *out)
{
	fputs("#compdef blasprof\n# zsh completion for blasprof, made by `blasprof completion "
	      "zsh'\n"
	      "local -a commands\ncommands=(\n",
	      out);
	for (size_t i = 0; subcommands[i]; i++) {
		fprintf(out, "\t'%s:", subcommands[i]->name);
		zsh_text(subcommands[i]->purpose, out);
		fputs("'\n", out);
	}
	fputs(")\nif ((CURRENT == 2)); then\n\t_describe command commands\nfi\n"
	      "case ${words[2]} in\n",
	      out);
	for (size_t i = 0; subcommands[i]; i++)
		zsh_options(subcommands[i], out);
	zsh_options(&command_run, out);
	fputs("esac\n", out);
}

static const struct {
	const char *name;
	void (*print)(FILE *out);
} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}};

static int run_completion(char **arguments)
{
	struct error err;

	for (size_t i = 0; i < COUNT(shells); i++)
		if (!strcmp(arguments[0], shells[i].name)) {
			shells[i].print(stdout);
			return output_finish();
		}
	error_set(&err, "choose bash or zsh", "there is no completion for '%s'", arguments[0]);
	return output_failure(&err);
}

const struct command command_completion = {
	.name = "completion",
	.usage = "[OPTION]... SHELL",
	.purpose = "print the completion script of bash or zsh",
	.about = "Print a script that completes blasprof's options in SHELL, bash or zsh. An\n"
		 "installed blasprof has it installed; else: source <(blasprof completion bash)",
	.operands = 1,
	.run = run_completion,
};
