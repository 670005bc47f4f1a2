/* command.h: what a subcommand is (its options, help and completion come from one struct), and the
 * output that all subcommands share. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stddef.h>
#include <stdio.h>

#include "base/array.h"
#include "base/error.h"

/* The kind of an option's argument, which decides the type of the setting. */
enum option_kind {
	OPTION_FLAG,	/* no argument; int, becomes 1 */
	OPTION_TEXT,	/* const char *, owned by argv */
	OPTION_LIST,	/* struct option_list: may be given several times */
	OPTION_INTEGER, /* int, within min and max */
	OPTION_NUMBER,	/* double, within min and max */
	OPTION_PERCENT, /* like OPTION_NUMBER; a percent sign may follow the number */
	OPTION_HELP,	/* no argument: prints the help and exits */
	OPTION_VERSION, /* likewise for the version */
};

/* The arguments of an OPTION_LIST, in order. argv owns the items; the array is never freed. */
struct option_list {
	const char **items;
	size_t count;
};

struct option_row {
	char letter;	      /* 'o' for -o; 0 if there is none */
	const char *name;     /* "output" for --output */
	const char *argument; /* the argument's name in the help; NULL if it takes none */
	const char *help;
	enum option_kind kind;
	void *setting; /* what it sets; NULL for --help and --version */
	double min, max;
};

struct command {
	const char *name;    /* "report"; "" for `blasprof COMMAND` itself */
	const char *usage;   /* text after the name in the usage line */
	const char *purpose; /* a line of at most 53 characters, without a full stop, for the list
			      * of subcommands and the name of the page */
	const char *about;   /* some sentences for the help, lines separated by line feeds */
	const struct option_row *options; /* without --help and --version, which all have */
	size_t options_count;
	void (*print_more)(void); /* prints the help that follows the options; may be NULL */
	int takes_command;	  /* 1: the first word that is no option begins a command */
	int operands;		  /* how many words must follow the options; 0 with takes_command */
	int operands_more;	  /* how many more words may follow */
	/* `arguments` are the NULL-terminated words after the options. Returns the exit status,
	 * STATUS_SIGNAL plus a signal, or -1 with *err. */
	int (*run)(char **arguments, struct error *err);
};

/* Each subcommand is one row here and one file that defines its command_NAME. The help lists them
 * in this order. */
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

#define OPERANDS_ANY	100000 /* for operands_more: no limit */
#define STATUS_FAILED	125    /* exit status when blasprof itself failed */
#define STATUS_SIGNAL	256 /* plus its number: blasprof ends by this signal, as the command did */
#define DEFAULT_STORE	"blasprof.db"
#define DEFAULT_RATE_HZ 99 /* samples per second and thread: costs 0.3 to 0.6 % at 30 to 60 us */

#define STRING_OF(text) #text
#define STRING(macro)	STRING_OF(macro) /* the value of a numeric macro as text, for the help */

/* For the struct command of a file that has options[]. */
#define COMMAND_OPTIONS .options = options, .options_count = COUNT(options)

/* Returns row `index` of the command's options followed by --help and --version, or NULL after the
 * last. */
const struct option_row *command_option(const struct command *command, size_t index);

/* Parses the options in argv[1...] into their settings. Returns 0 with *arguments at the first
 * word after them, or -1 with *err. *asked becomes OPTION_HELP or OPTION_VERSION, whichever was
 * given first, or OPTION_FLAG if neither was. */
int command_parse(const struct command *command, int argc, char **argv, char ***arguments,
		  enum option_kind *asked, struct error *err);

/* Print the help and the version in the format of GNU tools. */
void command_print_help(const struct command *command);
void command_print_version(const struct command *command);
/* For print_more: prints a name and its text as one aligned row. */
void help_print_row(const char *name, const char *text);
/* List the formats of reports, and those of one table. */
void help_print_formats(void);
void help_print_table_formats(void);

/* Prints "blasprof: WHAT; REMEDY" as one line on stderr. Returns STATUS_FAILED. */
int output_failure(const struct error *err);

/* Makes stdout and stderr block again: the command shares their file descriptions and may have set
 * O_NONBLOCK. */
void output_block(void);

/* Call it before each of several runs: if stdin is a file, all read it from the same position. */
void input_rewind(void);

/* Sets the width of text output to COLUMNS, or else to the width of the terminal that the file is,
 * and enables colours if it is a terminal with colours and NO_COLOR is not set. output_open() calls
 * it. */
void output_fit(FILE *file);

/* Returns 1 if TERM is unset, empty or "dumb": then the terminal can only print lines. */
int output_is_plain(void);

/* Opens a file for a report: `fallback` if path is NULL, stdout if it is "-", and stdout or stderr
 * if that is the same file. Returns NULL with *err if it cannot be opened or is a store, because a
 * report would overwrite its runs. What is in the file stays if nothing is written. */
FILE *output_open(const char *path, FILE *fallback, struct error *err);

/* Returns 1 if what output_open() returned was open before. */
int output_is_standard(const FILE *file);

/* Closes what output_open() opened for this path; flushes streams that were open before. Returns 0,
 * or -1 with *err if not everything could be written. */
int output_close(FILE *file, const char *path, struct error *err);

/* Flushes stdout at the end of a command. Returns the exit status: 0, or STATUS_FAILED after a
 * message if not everything could be written. */
int output_finish(void);

#endif
