/* command.h: what a subcommand is: one struct of text and tables, from which parsing and help come.
 */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* What an option's argument is, and so the type of the member of the command's settings that it
 * sets. */
enum option_kind {
	OPTION_FLAG,	/* no argument; int, becomes 1 */
	OPTION_TEXT,	/* const char *, owned by argv */
	OPTION_LIST,	/* struct option_list: may be given several times */
	OPTION_INTEGER, /* int, within min and max */
	OPTION_NUMBER,	/* double, within min and max */
	OPTION_PERCENT, /* likewise; a percent sign may follow */
	OPTION_HELP,	/* no argument, no member: prints the help and ends */
	OPTION_VERSION, /* likewise */
};

/* What an OPTION_LIST was given, in order; the texts are owned by argv, the array lasts as long as
 * the program. */
struct option_list {
	const char **texts;
	size_t count;
};

struct option_row {
	char letter;	      /* 'o' for -o; 0: none */
	const char *name;     /* "output" for --output */
	const char *argument; /* how the help calls its argument; NULL: it takes none */
	const char *help;     /* lines are parted by line feeds */
	enum option_kind kind;
	size_t offset; /* of its member in the settings */
	double min, max;
};

struct command {
	const char *name;    /* "report"; "" for `blasprof COMMAND` itself */
	const char *usage;   /* what follows the name in the usage line */
	const char *purpose; /* one line, without a full stop, for the list of subcommands */
	const char *about;   /* some sentences for the help; lines are parted by line feeds */
	const struct option_row *options; /* without --help and --version, which all have */
	size_t options_count;
	void *settings;		       /* what the options set; holds the defaults before that */
	void (*print_more)(FILE *out); /* what the help has after the options; NULL: nothing */
	int takes_command; /* 1: options end at the first word that is none; the rest is a command
			    */
	int operands;	   /* how many words it needs after the options, unless takes_command */
	int operands_more; /* and how many more it takes */
	/* `arguments` are the NULL-terminated words after the options. Returns the exit status. */
	int (*run)(char **arguments);
};

extern const struct command command_run, command_report, command_predict, command_compare,
	command_list, command_routines, command_top, command_recover, command_import,
	command_doctor, command_completion;
/* All but command_run, in the order in which the help lists them; ends with NULL. */
extern const struct command *const subcommands[];

#define OPERANDS_ANY	100000 /* as operands_more: as many as the command line holds */

/* Exit status when blasprof itself failed. */
#define STATUS_FAILED	125

#define STRING_OF(text) #text
#define STRING(macro)	STRING_OF(macro) /* a number's macro as text, for help */
#define COUNT(array)	(sizeof(array) / sizeof *(array))

/* --help and --version, which each command has besides its own. */
extern const struct option_row common_options[];
extern const size_t common_options_count;

/* The command's options followed by the common ones: row `index`, or NULL after the last. */
const struct option_row *command_option(const struct command *command, size_t index);

/* Reads the options of argv[1...] into command->settings. Returns 0 with *arguments at the first
 * word after them, or -1 with *err. When the user asked for help or the version, *asked is that
 * row's kind, else OPTION_FLAG. */
int command_parse(const struct command *command, int argc, char **argv, char ***arguments,
		  enum option_kind *asked, struct error *err);

/* One aligned line of help: a name and what it is; lines of the text are parted by line feeds. */
void help_print_row(const char *name, const char *text, FILE *out);
/* The formats of commands that print one table, as print_more. */
void help_print_table_formats(FILE *out);
/* The help, and the version, as GNU tools print them. */
void command_print_help(const struct command *command, FILE *out);
void command_print_version(const struct command *command, FILE *out);

#endif
