/* options.c: reads a command's options by its table, with getopt_long. */
/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/nearest.h"

#define OPTIONS_MAX 64
#define LONG_BASE   256 /* getopt_long returns this plus the row's index for a long name */

const struct option_row common_options[] = {
	{'h', "help", NULL, "print this help and exit", OPTION_HELP},
	{'V', "version", NULL, "print the version and exit", OPTION_VERSION},
};
const size_t common_options_count = COUNT(common_options);

const struct option_row *command_option(const struct command *command, size_t index)
{
	if (index < command->options_count)
		return &command->options[index];
	index -= command->options_count;
	return index < common_options_count ? &common_options[index] : NULL;
}

/* The table in the form that getopt_long wants. */
struct getopt_form {
	char letters[2 + 2 * OPTIONS_MAX + 1];
	struct option longs[OPTIONS_MAX + 1];
};

static void make_getopt_form(const struct command *command, struct getopt_form *form)
{
	const struct option_row *row;
	char *letter = form->letters;

	memset(form, 0, sizeof *form);
	if (command->takes_command)
		*letter++ = '+';
	*letter++ = ':';
	for (size_t i = 0; i < OPTIONS_MAX && (row = command_option(command, i)); i++) {
		form->longs[i].name = row->name;
		form->longs[i].has_arg = row->argument ? required_argument : no_argument;
		form->longs[i].val = LONG_BASE + (int)i;
		if (!row->letter)
			continue;
		*letter++ = row->letter;
		if (row->argument)
			*letter++ = ':';
	}
}

/* The row that getopt_long's value (or optopt) stands for, or NULL. */
static const struct option_row *find_row(const struct command *command, int value)
{
	const struct option_row *row;

	if (value >= LONG_BASE)
		return command_option(command, (size_t)(value - LONG_BASE));
	for (size_t i = 0; (row = command_option(command, i)); i++)
		if (row->letter && row->letter == value)
			return row;
	return NULL;
}

/* `first` is what the remedy begins with. */
static int fail_usage(const struct command *command, const char *what, const char *option,
		      const char *first, struct error *err)
{
	char remedy[sizeof err->remedy];

	snprintf(remedy, sizeof remedy, "%ssee 'blasprof%s%s --help'", first,
		 *command->name ? " " : "", command->name);
	return error_set(err, remedy, "%s '%s'", what, option);
}

static int fail_unknown(const struct command *command, const char *option, struct error *err)
{
	const char *word = option + strspn(option, "-");
	char wanted[NEAREST_NAME_BYTES], first[NEAREST_NAME_BYTES + 32] = "";
	struct nearest nearest = {.wanted = wanted};
	const struct option_row *row;

	snprintf(wanted, sizeof wanted, "%.*s", (int)strcspn(word, "="), word);
	for (size_t i = 0; (row = command_option(command, i)); i++)
		nearest_offer(&nearest, row->name);
	if (word - option == 2 && (size_t)nearest.distances[0] * 2 <= strlen(wanted))
		snprintf(first, sizeof first, "the nearest is --%s; ", nearest.names[0]);
	return fail_usage(command, "unknown option", option, first, err);
}

/* 1 where the whole text is a number. */
static int read_number(const struct option_row *row, const char *text, double *number)
{
	char *end;

	*number = strtod(text, &end);
	if (end == text)
		return 0;
	if (row->kind == OPTION_PERCENT && *end == '%')
		end++;
	return !*end;
}

static int set_number(const struct option_row *row, const char *text, void *member,
		      struct error *err)
{
	double number;
	int whole = row->kind == OPTION_INTEGER;
	char remedy[128];

	snprintf(remedy, sizeof remedy, "give a %snumber from %.15g to %.15g",
		 whole ? "whole " : "", row->min, row->max);
	if (!read_number(row, text, &number) || !(number >= row->min && number <= row->max) ||
	    (whole && number != floor(number)))
		return error_set(err, remedy, "--%s cannot be '%s'", row->name, text);
	if (whole)
		*(int *)member = (int)number;
	else
		*(double *)member = number;
	return 0;
}

static int add_text(struct option_list *list, const char *text, struct error *err)
{
	const char **place = array_add(&list->texts, &list->count, sizeof *place);

	if (!place)
		return error_out_of_memory(err);
	*place = text;
	return 0;
}

static int apply_option(const struct command *command, const struct option_row *row,
			enum option_kind *asked, struct error *err)
{
	void *member = (char *)command->settings + row->offset;

	switch (row->kind) {
	case OPTION_FLAG:
		*(int *)member = 1;
		return 0;
	case OPTION_TEXT:
		*(const char **)member = optarg;
		return 0;
	case OPTION_LIST:
		return add_text(member, optarg, err);
	case OPTION_INTEGER:
	case OPTION_NUMBER:
	case OPTION_PERCENT:
		return set_number(row, optarg, member, err);
	case OPTION_HELP:
	case OPTION_VERSION:
		if (*asked == OPTION_FLAG)
			*asked = row->kind;
	}
	return 0;
}

/* Says what getopt_long did not like: `value` is ':' or '?'. */
static int refuse_option(const struct command *command, int value, char **argv, struct error *err)
{
	char letter[3] = {'-', (char)optopt, 0};
	int is_letter = optopt > 0 && optopt < LONG_BASE;
	const char *option = is_letter ? letter : argv[optind - 1];

	if (value == ':')
		return fail_usage(command, "an argument is missing after", option, "", err);
	if (optopt >= LONG_BASE)
		return fail_usage(command,
				  "an argument is given to an option that takes none:", option, "",
				  err);
	return fail_unknown(command, option, err);
}

static int check_operands(const struct command *command, int count, char **words, struct error *err)
{
	int most = command->operands + command->operands_more;

	if (count > most)
		return fail_usage(command, "unexpected argument", words[most], "", err);
	if (count < command->operands)
		return fail_usage(command, "an argument is missing: the usage is", command->usage,
				  "", err);
	return 0;
}

int command_parse(const struct command *command, int argc, char **argv, char ***arguments,
		  enum option_kind *asked, struct error *err)
{
	struct getopt_form form;
	int value;

	make_getopt_form(command, &form);
	*asked = OPTION_FLAG;
	opterr = 0;
	optind = 0; /* glibc: starts anew */
	while ((value = getopt_long(argc, argv, form.letters, form.longs, NULL)) != -1) {
		const struct option_row *row = find_row(command, value);

		if (value == '?' || value == ':' || !row)
			return refuse_option(command, value, argv, err);
		if (apply_option(command, row, asked, err))
			return -1;
	}
	*arguments = argv + optind;
	if (command->takes_command || *asked != OPTION_FLAG)
		return 0;
	return check_operands(command, argc - optind, *arguments, err);
}
