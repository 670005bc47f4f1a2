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

/* How a command is called in the scripts. */
static const char *name_of(const struct command *command)
{
	return *command->name ? command->name : "run";
}

static int takes_file(const struct option_row *row)
{
	return !strcmp(row->argument, "FILE") || !strcmp(row->argument, "DIR");
}

/* Prints the words that the option's argument can be; none where these are not known. */
static void print_words(const struct command *command, const char *option, FILE *out)
{
	if (!strcmp(option, "format") && (command == &command_run || command == &command_report))
		for (size_t i = 0; i < report_formats_count; i++)
			fprintf(out, " %s", report_formats[i].name);
	else if (!strcmp(option, "format"))
		for (size_t i = 0; i < TABLE_FORMATS; i++)
			fprintf(out, " %s", table_formats[i].name);
	else if (!strcmp(option, "table"))
		for (size_t i = 0; i < REPORT_TABLES; i++)
			fprintf(out, " %s", report_tables[i].name);
	else if (!strcmp(option, "by"))
		for (size_t i = 0; i < view_bys_count; i++)
			fprintf(out, " %s", view_bys[i].name);
	else if (!strcmp(option, "picture"))
		for (size_t i = 0; i < pictures_count; i++)
			fprintf(out, " %s", pictures[i].name);
}

/* One branch for each option that takes an argument. */
static void bash_arguments(const struct command *command, FILE *out)
{
	const struct option_row *row;

	for (size_t i = 0; (row = command_option(command, i)); i++) {
		if (!row->argument)
			continue;
		fprintf(out, "\t%s:--%s", name_of(command), row->name);
		if (row->letter)
			fprintf(out, "|%s:-%c", name_of(command), row->letter);
		if (takes_file(row)) {
			fputs(") COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n", out);
		} else {
			fputs(") COMPREPLY=($(compgen -W '", out);
			print_words(command, row->name, out);
			fputs("' -- \"$cur\")) ;;\n", out);
		}
	}
}

static void bash_options(const struct command *command, FILE *out)
{
	const struct option_row *row;

	fprintf(out, "\t\t%s) options='", name_of(command));
	for (size_t i = 0; (row = command_option(command, i)); i++) {
		if (row->letter)
			fprintf(out, " -%c", row->letter);
		fprintf(out, " --%s%s", row->name, row->argument ? "=" : "");
	}
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

/* The help in one line, without characters that are special to zsh. */
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

static void zsh_options(const struct command *command, FILE *out)
{
	const struct option_row *row;

	fprintf(out, "\t%s)\n\t_arguments -s -S", *command->name ? command->name : "*");
	for (size_t i = 0; (row = command_option(command, i)); i++) {
		const char *equals = row->argument ? "=" : "";

		if (row->letter)
			fprintf(out, " \\\n\t\t'(-%c --%s)'{-%c%s,--%s%s}'[", row->letter,
				row->name, row->letter, row->argument ? "+" : "", row->name,
				equals);
		else
			fprintf(out, " \\\n\t\t'--%s%s[", row->name, equals);
		zsh_text(row->help, out);
		fputc(']', out);
		if (row->argument && takes_file(row)) {
			fprintf(out, ":%s:_files", row->argument);
		} else if (row->argument) {
			fprintf(out, ":%s:(", row->argument);
			print_words(command, row->name, out);
			fputc(')', out);
		}
		fputc('\'', out);
	}
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

static int run_completion(char **arguments)
{
	struct error err;

	if (!strcmp(arguments[0], "bash")) {
		print_bash(stdout);
	} else if (!strcmp(arguments[0], "zsh")) {
		print_zsh(stdout);
	} else {
		error_set(&err, "choose bash or zsh", "there is no completion for '%s'",
			  arguments[0]);
		return output_failure(&err);
	}
	return output_finish();
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
