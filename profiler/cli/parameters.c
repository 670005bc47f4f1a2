/* parameters.c: reads -L NAME=VALUE,... and combines the values. */
/* SPDX-License-Identifier: MIT */
#include "cli/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "base/array.h"
#include "base/ranges.h"

static const char remedy[] = "write a name and its values, as in: -L hidden=64,256,1024";

static int add_value(struct parameter *parameter, const char *text, struct error *err)
{
	char **place = array_add(&parameter->values, &parameter->count, sizeof *place);

	if (!place || !(*place = strdup(text)))
		return error_out_of_memory(err);
	return 0;
}

/* A range of numbers as ranges_parse() takes it: a number, "-" or "..", a number, and no more but a
 * step. Any other text, like 0.5 or a-b, is a value as it stands. */
static int is_range(const char *text)
{
	size_t length = strspn(text, "0123456789");
	const char *rest = text + length;

	if (!length || (*rest != '-' && strncmp(rest, "..", 2) != 0))
		return 0;
	rest += *rest == '-' ? 1 : 2;
	length = strspn(rest, "0123456789");
	return length && (!rest[length] || rest[length] == ':');
}

static int add_range(struct parameter *parameter, const char *text, struct error *err)
{
	size_t count;
	int *numbers, failed = ranges_parse(text, &numbers, &count, err);

	for (size_t i = 0; i < count && !failed; i++) {
		char number[16];

		snprintf(number, sizeof number, "%d", numbers[i]);
		failed = add_value(parameter, number, err);
	}
	free(numbers);
	return failed;
}

static int split_values(struct parameter *parameter, char *text, struct error *err)
{
	char *value;

	while ((value = strsep(&text, ","))) {
		if (!*value)
			return error_set(err, remedy, "a value of '%s' in -L is empty",
					 parameter->name);
		if (is_range(value) ? add_range(parameter, value, err)
				    : add_value(parameter, value, err))
			return -1;
	}
	return 0;
}

static int parse_one(const char *text, struct parameter *parameter, struct error *err)
{
	char *equals;

	parameter->text = strdup(text);
	if (!parameter->text)
		return error_out_of_memory(err);
	equals = strchr(parameter->text, '=');
	if (!equals || equals == parameter->text)
		return error_set(err, remedy, "-L cannot be '%s'", text);
	*equals = '\0';
	parameter->name = parameter->text;
	if (asprintf(&parameter->placeholder, "{%s}", parameter->name) < 0) {
		parameter->placeholder = NULL;
		return error_out_of_memory(err);
	}
	return split_values(parameter, equals + 1, err);
}

static int check_one(const struct parameters *parameters, const struct parameter *parameter,
		     char *const command[], struct error *err)
{
	char place[128];

	for (const struct parameter *other = parameters->rows; other < parameter; other++)
		if (!strcmp(other->name, parameter->name))
			return error_set(err, "give all its values in one -L",
					 "-L names '%s' twice", parameter->name);
	if (arguments_have(command, parameter->placeholder))
		return 0;
	snprintf(place, sizeof place, "write %.64s where its values belong",
		 parameter->placeholder);
	return error_set(err, place, "-L names '%s', but the command has no %s in it",
			 parameter->name, parameter->placeholder);
}

int parameters_parse(const struct option_list *texts, char *const command[],
		     struct parameters *parameters, struct error *err)
{
	memset(parameters, 0, sizeof *parameters);
	if (texts->count > PARAMETERS_MAX)
		return error_set(err, "sweep over fewer at a time",
				 "-L is given over " STRING(PARAMETERS_MAX) " times");
	for (size_t i = 0; i < texts->count; i++) {
		struct parameter *parameter = &parameters->rows[parameters->count++];

		if (parse_one(texts->texts[i], parameter, err) ||
		    check_one(parameters, parameter, command, err))
			return -1;
		if (parameters_combinations(parameters) > COMBINATIONS_MAX)
			return error_set(err, "sweep over fewer values at a time",
					 "there are over " STRING(
						 COMBINATIONS_MAX) " combinations of values");
	}
	return 0;
}

void parameters_free(struct parameters *parameters)
{
	for (size_t i = 0; i < parameters->count; i++) {
		free(parameters->rows[i].text);
		free(parameters->rows[i].placeholder);
		for (size_t j = 0; j < parameters->rows[i].count; j++)
			free(parameters->rows[i].values[j]);
		free(parameters->rows[i].values);
	}
	memset(parameters, 0, sizeof *parameters);
}

size_t parameters_combinations(const struct parameters *parameters)
{
	size_t combinations = 1;

	for (size_t i = 0; i < parameters->count; i++)
		combinations *= parameters->rows[i].count;
	return combinations;
}

void parameters_values(const struct parameters *parameters, size_t combination,
		       const char *values[PARAMETERS_MAX])
{
	for (size_t i = parameters->count; i-- > 0;) {
		const struct parameter *parameter = &parameters->rows[i];

		values[i] = parameter->values[combination % parameter->count];
		combination /= parameter->count;
	}
}

char **parameters_fill(const struct parameters *parameters, char *const command[],
		       const char *const values[])
{
	char **filled = arguments_copy(command);

	for (size_t i = 0; filled && i < parameters->count; i++) {
		char **next = arguments_fill(filled, parameters->rows[i].placeholder, values[i]);

		arguments_free(filled);
		filled = next;
	}
	return filled;
}
