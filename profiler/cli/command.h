/* command.h: what a subcommand is: one struct of text and tables, from which parsing, help and
 * completion come. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stddef.h>
#include <stdio.h>

#include "base/array.h"
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

/* The arguments of an OPTION_LIST, in order: the items are owned by argv, the array lasts as long
 * as the program. */
struct option_list {
	const char **items;
	size_t count;
};

struct option_row {
	char letter;	      /* 'o' for -o; 0: none */
	const char *name;     /* "output" for --output */
	const char *argument; /* its argument's name in the help; NULL: it takes none */
	const char *help;     /* lines separated by line feeds */
	enum option_kind kind;
	size_t offset; /* of its member in the settings */
	double min, max;
};

struct command {
	const char *name;    /* "report"; "" for `blasprof COMMAND` itself */
	const char *usage;   /* what follows the name in the usage line */
	const char *purpose; /* one line, without a full stop, for the list of subcommands */
	const char *about;   /* some sentences for the help, lines separated by line feeds */
	const struct option_row *options; /* without --help and --version, which all have */
	size_t options_count;
	void *settings; /* what the options set; holds the defaults before that */
	void (*print_more)(
		FILE *out); /* prints what follows the options in the help; NULL: nothing */
	int takes_command;  /* 1: the first word that is no option begins a command */
	int operands;	    /* how many words must follow the options */
	int operands_more;  /* and how many more may; neither counts with takes_command */
	/* `arguments` are the NULL-terminated words after the options. Returns the exit status. */
	int (*run)(char **arguments);
};

/* A subcommand is one row here and one file, which has its command_NAME. In the order in which the
 * help lists them. */
#define SUBCOMMAND_ROWS(X)                                                                         \
	X(report)                                                                                  \
	X(predict)                                                                                 \
	X(compare)                                                                                 \
	X(try)                                                                                     \
	X(list)                                                                                    \
	X(routines)                                                                                \
	X(top)                                                                                     \
	X(recover)                                                                                 \
	X(import)                                                                                  \
	X(doctor)                                                                                  \
	X(help)

#define COMMAND(name) extern const struct command command_##name;
COMMAND(run)
SUBCOMMAND_ROWS(COMMAND)
#undef COMMAND
extern const struct command *const subcommands[]; /* ends with NULL */

#define OPERANDS_ANY	100000 /* as operands_more: no limit */
#define STATUS_FAILED	125    /* exit status when blasprof itself failed */
#define DEFAULT_STORE	"blasprof.db"
#define DEFAULT_RATE_HZ 99 /* samples a second and thread: 0.3 to 0.6 % at 30 to 60 us a sample */

#define STRING_OF(text) #text
#define STRING(macro)	STRING_OF(macro) /* a number's macro as text, for help */

/* In a struct command: its file's options[] and settings. */
#define COMMAND_OPTIONS .options = options, .options_count = COUNT(options), .settings = &settings

/* The command's options followed by --help and --version: row `index`, or NULL after the last. */
const struct option_row *command_option(const struct command *command, size_t index);

/* Reads the options of argv[1...] into command->settings. Returns 0 with *arguments at the first
 * word after them, or -1 with *err. *asked is OPTION_HELP or OPTION_VERSION where the user asked
 * for that first, else OPTION_FLAG. */
int command_parse(const struct command *command, int argc, char **argv, char ***arguments,
		  enum option_kind *asked, struct error *err);

/* The help and the version, as GNU tools print them. */
void command_print_help(const struct command *command, FILE *out);
void command_print_version(const struct command *command, FILE *out);
/* For print_more: one aligned row, a name and its text (lines separated by line feeds). */
void help_print_row(const char *name, const char *text, FILE *out);
/* As print_more of commands that print one table: its formats. */
void help_print_table_formats(FILE *out);

#endif
