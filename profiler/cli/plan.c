/* plan.c: determines which runs a command line asks for, and replaces their placeholders. */
/* SPDX-License-Identifier: MIT */
#include "cli/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/ranges.h"

static const char parameter_remedy[] = "write a name and its values, as in: -L hidden=64,256,1024";

static int have_placeholder(char *const arguments[], const char *placeholder)
{
	for (size_t i = 0; arguments[i]; i++)
		if (strstr(arguments[i], placeholder))
			return 1;
	return 0;
}

/* Returns a copy of the words in which `value` replaces the placeholder, which may be NULL. */
static char **fill_arguments(char *const arguments[], const char *placeholder, const char *value)
{
	size_t count = 0;
	char **filled;

	while (arguments[count])
		count++;
	filled = memory_rows(count, sizeof *filled);
	for (size_t i = 0; i < count; i++) {
		const char *word = arguments[i], *found;
		size_t size;
		FILE *out = memory_need(open_memstream(&filled[i], &size));

		while (placeholder && (found = strstr(word, placeholder))) {
			fprintf(out, "%.*s%s", (int)(found - word), word, value);
			word = found + strlen(placeholder);
		}
		fputs(word, out);
		memory_check(fclose(out));
	}
	return filled;
}

void arguments_free(char **arguments)
{
	for (size_t i = 0; arguments && arguments[i]; i++)
		free(arguments[i]);
	free(arguments);
}

/* Returns 1 for a range of numbers that ranges_parse() accepts: a number, "-" or "..", a number,
 * and an optional step. Any other text, like 0.5 or a-b, is a plain value. */
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

static int parse_parameter(const char *text, struct parameter *parameter, struct error *err)
{
	char *rest, *value, **added;
	size_t count;
	int *numbers;

	parameter->text = memory_text(text);
	rest = strchr(parameter->text, '=');
	if (!rest || rest == parameter->text)
		return error_set(err, parameter_remedy, "-L cannot be '%s'", text);
	*rest++ = '\0';
	parameter->name = parameter->text;
	memory_check(asprintf(&parameter->placeholder, "{%s}", parameter->name) < 0);
	while ((value = strsep(&rest, ","))) {
		if (!*value)
			return error_set(err, parameter_remedy, "a value of '%s' in -L is empty",
					 parameter->name);
		if (!is_range(value)) {
			added = memory_add(&parameter->values, &parameter->count, sizeof *added);
			*added = memory_text(value);
			continue;
		}
		if (ranges_parse(value, &numbers, &count, err))
			return -1;
		for (size_t i = 0; i < count; i++) {
			added = memory_add(&parameter->values, &parameter->count, sizeof *added);
			memory_check(asprintf(added, "%d", numbers[i]) < 0);
		}
		free(numbers);
	}
	return 0;
}

static int plan_parameters(const struct option_list *list, struct plan *plan, struct error *err)
{
	size_t combinations = 1;

	if (list->count > PARAMETERS_MAX)
		return error_set(err, "sweep over fewer at a time",
				 "-L is given over " STRING(PARAMETERS_MAX) " times");
	for (size_t i = 0; i < list->count; i++) {
		struct parameter *parameter = &plan->parameters[plan->nparameters++];
		char remedy[128];

		if (parse_parameter(list->items[i], parameter, err))
			return -1;
		for (size_t j = 0; j < i; j++)
			if (!strcmp(plan->parameters[j].name, parameter->name))
				return error_set(err, "give all its values in one -L",
						 "-L names '%s' twice", parameter->name);
		snprintf(remedy, sizeof remedy, "write %.64s where its values belong",
			 parameter->placeholder);
		if (!have_placeholder(plan->command, parameter->placeholder))
			return error_set(err, remedy,
					 "-L names '%s', but the command has no %s in it",
					 parameter->name, parameter->placeholder);
		combinations *= parameter->count;
		if (combinations > COMBINATIONS_MAX)
			return error_set(err, "sweep over fewer values at a time",
					 "there are over " STRING(
						 COMBINATIONS_MAX) " combinations of values");
	}
	for (size_t i = 0; i < combinations; i++) {
		struct variant *variant =
			memory_add(&plan->variants, &plan->nvariants, sizeof *variant);
		size_t rest = i;

		variant->command = fill_arguments(plan->command, NULL, NULL);
		for (size_t j = plan->nparameters; j-- > 0;) {
			variant->values[j] =
				plan->parameters[j].values[rest % plan->parameters[j].count];
			rest /= plan->parameters[j].count;
		}
		for (size_t j = 0; j < plan->nparameters; j++) {
			char **filled =
				fill_arguments(variant->command, plan->parameters[j].placeholder,
					       variant->values[j]);

			arguments_free(variant->command);
			variant->command = filled;
		}
	}
	return 0;
}

/* The list always ends with NULL, so that plan_free() can free it after an error. */
static int split_variables(const char *names, struct plan *plan, struct error *err)
{
	char *copy = memory_text(names), *rest = copy, *name;
	size_t count = 0;
	int failed = 0;

	memory_add(&plan->variables, &count, sizeof *plan->variables);
	while (!failed && (name = strsep(&rest, ","))) {
		memory_add(&plan->variables, &count, sizeof *plan->variables);
		plan->variables[count - 2] = memory_text(name);
		if (!*name || strchr(name, '='))
			failed = error_set(err,
					   "name environment variables, as in: "
					   "--threads-env=OMP_NUM_THREADS",
					   "--threads-env cannot be '%s'", names);
	}
	free(copy);
	return failed;
}

static int plan_threads(const struct plan_options *options, struct plan *plan, struct error *err)
{
	if (!options->threads && options->threads_env)
		return error_set(err, "say how many threads with -t, as in: -t 1,2,4",
				 "--threads-env has no thread count to set");
	if (!options->threads)
		return 0;
	if (ranges_parse(options->threads, &plan->threads, &plan->nthreads, err) ||
	    (options->threads_env && split_variables(options->threads_env, plan, err)))
		return -1;
	plan->has_placeholder = have_placeholder(plan->command, THREADS_PLACEHOLDER);
	if (plan->nthreads > 1 && !plan->has_placeholder && !plan->variables)
		return error_set(err,
				 "write {} in its place, as in: blasprof -t 1,2,4 -- ./train {}, "
				 "or name a variable with --threads-env",
				 "-t has several thread counts, but the command has no {} to take "
				 "them");
	return 0;
}

int plan_make(const struct plan_options *options, char *const command[], struct plan *plan,
	      struct error *err)
{
	memset(plan, 0, sizeof *plan);
	plan->command = command;
	if (plan_threads(options, plan, err) || plan_parameters(&options->parameters, plan, err))
		return -1;
	plan->runs = (size_t)options->runs;
	plan->warmup = options->warmup >= 0 ? (size_t)options->warmup : plan_count(plan) > 1;
	return 0;
}

void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->nvariants; i++)
		arguments_free(plan->variants[i].command);
	EACH_ROW(parameter, plan->parameters, plan->nparameters) {
		free(parameter->text);
		free(parameter->placeholder);
		for (size_t j = 0; j < parameter->count; j++)
			free(parameter->values[j]);
		free(parameter->values);
	}
	free(plan->variants);
	free(plan->threads);
	arguments_free(plan->variables);
	memset(plan, 0, sizeof *plan);
}

static size_t thread_counts(const struct plan *plan)
{
	return plan->nthreads ? plan->nthreads : 1;
}

/* Returns the number of runs in one round. */
static size_t round_count(const struct plan *plan)
{
	return plan->nvariants * thread_counts(plan);
}

size_t plan_count(const struct plan *plan)
{
	return (plan->warmup + plan->runs) * round_count(plan);
}

struct planned_run plan_run(const struct plan *plan, size_t index)
{
	size_t at = index % round_count(plan);

	return (struct planned_run){
		.variant = at / thread_counts(plan),
		.threads = plan->nthreads ? plan->threads[at % thread_counts(plan)] : 0,
		.is_warmup = index / round_count(plan) < plan->warmup,
	};
}

char **plan_arguments(const struct plan *plan, const struct planned_run *run)
{
	char number[16];

	snprintf(number, sizeof number, "%d", run->threads);
	return fill_arguments(plan->variants[run->variant].command,
			      run->threads ? THREADS_PLACEHOLDER : NULL, number);
}

void plan_set_variables(const struct plan *plan, const struct planned_run *run)
{
	char number[16];

	snprintf(number, sizeof number, "%d", run->threads);
	for (size_t i = 0; plan->variables && plan->variables[i]; i++)
		memory_check(setenv(plan->variables[i], number, 1));
}
