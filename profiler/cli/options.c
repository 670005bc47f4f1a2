/* options.c: parses a command's options with getopt_long, from the command's table. */
/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/string_pool.h"

#define OPTIONS_MAX 64
#define LONG_BASE   256 /* for a long name, getopt_long returns this plus the row's index */

static const struct option_row common_options[] = {
	{'h', "help", NULL, "print this help and exit", OPTION_HELP},
	{'V', "version", NULL, "print the version and exit", OPTION_VERSION},
};

const struct option_row *command_option(const struct command *command, size_t index)
{
	if (index < command->options_count)
		return &command->options[index];
	index -= command->options_count;
	return index < COUNT(common_options) ? &common_options[index] : NULL;
}

/* Sets *err to "WHAT 'OPTION'"; the remedy begins with `first`. Returns -1. */
static int fail_usage(const struct command *command, const char *what, const char *option,
		      const char *first, struct error *err)
{
	const char *remedy = string_printf("%ssee 'blasprof%s%s --help'", first,
					   *command->name ? " " : "", command->name);

	return error_set(err, remedy, "%s '%s'", what, option);
}

/* Explains why getopt_long returned `value`, which is ':' or '?'. Returns -1. */
static int refuse_option(const struct command *command, int value, char **argv, struct error *err)
{
	char letter[3] = {'-', (char)optopt, 0};
	const char *option = optopt > 0 && optopt < LONG_BASE ? letter : argv[optind - 1];
	const char *word = option + strspn(option, "-");
	const char *wanted = string_printf("%.*s", (int)strcspn(word, "="), word), *first = "";
	struct nearest nearest = {.wanted = wanted};
	const struct option_row *row;
	int begun = 0; /* options whose names begin with the word */

	if (value == ':')
		return fail_usage(command, "an argument is missing after", option, "", err);
	if (optopt >= LONG_BASE)
		return fail_usage(command,
				  "an argument is given to an option that takes none:", option, "",
				  err);
	for (size_t i = 0; (row = command_option(command, i)); i++) {
		nearest_offer(&nearest, row->name);
		begun += !strncmp(row->name, wanted, strlen(wanted));
	}
	if (word - option == 2 && (size_t)nearest.distances[0] * 2 <= strlen(wanted))
		first = string_printf("the nearest is --%s; ", nearest.names[0]);
	return fail_usage(command,
			  *wanted && begun > 1 && word - option == 2 ? "ambiguous option"
								     : "unknown option",
			  option, first, err);
}

static int set_number(const struct option_row *row, const char *text, struct error *err)
{
	char *end;
	double number = strtod(text, &end);
	int whole = row->kind == OPTION_INTEGER;

	if (end > text && row->kind == OPTION_PERCENT && *end == '%')
		end++;
	if (end == text || *end || !(number >= row->min && number <= row->max) ||
	    (whole && number != floor(number)))
		return error_set(err,
				 string_printf("give a %snumber from %.15g to %.15g",
					       whole ? "whole " : "", row->min, row->max),
				 "--%s cannot be '%s'", row->name, text);
	if (whole)
		*(int *)row->setting = (int)number;
	else
		*(double *)row->setting = number;
	return 0;
}

static int apply_option(const struct option_row *row, enum option_kind *asked, struct error *err)
{
	struct option_list *list = row->setting;

	switch (row->kind) {
	case OPTION_FLAG:
		*(int *)row->setting = 1;
		break;
	case OPTION_TEXT:
		*(const char **)row->setting = optarg;
		break;
	case OPTION_LIST:
		memory_append(&list->items, &list->count, sizeof optarg, &optarg);
		break;
	case OPTION_INTEGER:
	case OPTION_NUMBER:
	case OPTION_PERCENT:
		return set_number(row, optarg, err);
	case OPTION_HELP:
	case OPTION_VERSION:
		if (*asked == OPTION_FLAG)
			*asked = row->kind;
	}
	return 0;
}

int command_parse(const struct command *command, int argc, char **argv, char ***arguments,
		  enum option_kind *asked, struct error *err)
{
	/* the table in the form that getopt_long needs */
	char letters[2 + 2 * OPTIONS_MAX + 1] = "", *letter = letters;
	struct option longs[OPTIONS_MAX + 1] = {{0}};
	int most = command->operands + command->operands_more, value;
	const struct option_row *row;

	if (command->takes_command)
		*letter++ = '+';
	*letter++ = ':';
	for (size_t i = 0; i < OPTIONS_MAX && (row = command_option(command, i)); i++) {
		longs[i] =
			(struct option){row->name, row->argument ? required_argument : no_argument,
					NULL, LONG_BASE + (int)i};
		if (row->letter)
			*letter++ = row->letter;
		if (row->letter && row->argument)
			*letter++ = ':';
	}
	*asked = OPTION_FLAG;
	opterr = 0;
	optind = 0; /* glibc: resets the parser */
	while ((value = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		for (size_t i = 0; (row = command_option(command, i)); i++)
			if (value == row->letter || value == LONG_BASE + (int)i)
				break;
		if (!row) /* '?' or ':' */
			return refuse_option(command, value, argv, err);
		if (apply_option(row, asked, err))
			return -1;
	}
	*arguments = argv + optind;
	if (command->takes_command || *asked != OPTION_FLAG)
		return 0;
	if (argc - optind > most)
		return fail_usage(command, "unexpected argument", (*arguments)[most],
				  strstr(letters, "i:") ? "-i names a store; " : "", err);
	if (argc - optind < command->operands)
		return fail_usage(command, "an argument is missing: the usage is", command->usage,
				  "", err);
	return 0;
}
