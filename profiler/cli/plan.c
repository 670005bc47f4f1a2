/* plan.c: determines which runs a command line asks for, and replaces their placeholders. */
/* SPDX-License-Identifier: MIT */
#include "cli/sweep.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/ranges.h"
#include "base/string_pool.h"

static const char parameter_remedy[] = "write a name and its values, as in: -L hidden=64,256,1024";

int have_placeholder(char *const arguments[], const char *placeholder)
{
	for (size_t i = 0; arguments[i]; i++)
		if (strstr(arguments[i], placeholder))
			return 1;
	return 0;
}

/* Returns a fresh array of the words in which `value` replaces the placeholder, which may be NULL.
 * The words are in the string pool. */
static char **fill_arguments(char *const arguments[], const char *placeholder, const char *value)
{
	char **filled = NULL;
	size_t count = 0;

	for (; *arguments; arguments++) {
		const char *word = *arguments, *done = "", *found;
		char **added = memory_add(&filled, &count, sizeof *added);

		while (placeholder && (found = strstr(word, placeholder))) {
			done = string_printf("%s%.*s%s", done, (int)(found - word), word, value);
			word = found + strlen(placeholder);
		}
		*added = (char *)string_printf("%s%s", done, word);
	}
	memory_add(&filled, &count, sizeof *filled); /* NULL at the end */
	return filled;
}

/* Returns 1 for a range of numbers that ranges_parse() accepts: a number, "-" or "..", a number,
 * and an optional step. Any other text, like 0.5 or a-b, is a plain value. */
static int is_range(const char *text)
{
	return !fnmatch("+([0-9])@(-|..)+([0-9])?(:*)", text, FNM_EXTMATCH);
}

static int parse_parameter(const char *text, struct parameter *parameter, struct error *err)
{
	size_t length = strcspn(text, "="), count;
	const char *rest = text + length;
	int *numbers;

	if (!length || !*rest)
		return error_set(err, parameter_remedy, "-L cannot be '%s'", text);
	parameter->name = string_printf("%.*s", (int)length, text);
	parameter->placeholder = string_printf("{%s}", parameter->name);
	for (; *rest; rest += length) {
		const char *value;

		length = strcspn(++rest, ",");
		value = string_printf("%.*s", (int)length, rest);
		if (!length)
			return error_set(err, parameter_remedy, "a value of '%s' in -L is empty",
					 parameter->name);
		if (!is_range(value)) {
			memory_append(&parameter->values, &parameter->count, sizeof value, &value);
			continue;
		}
		if (ranges_parse(value, &numbers, &count, err))
			return -1;
		for (size_t i = 0; i < count; i++) {
			value = string_printf("%d", numbers[i]);
			memory_append(&parameter->values, &parameter->count, sizeof value, &value);
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

		if (parse_parameter(list->items[i], parameter, err))
			return -1;
		for (size_t j = 0; j < i; j++)
			if (!strcmp(plan->parameters[j].name, parameter->name))
				return error_set(err, "give all its values in one -L",
						 "-L names '%s' twice", parameter->name);
		if (!have_placeholder(plan->command, parameter->placeholder))
			return error_set(err,
					 string_printf("write %.64s where its values belong",
						       parameter->placeholder),
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
			const struct parameter *parameter = &plan->parameters[j];

			variant->values[j] = parameter->values[rest % parameter->count];
			rest /= parameter->count;
		}
		for (size_t j = 0; j < plan->nparameters; j++) {
			FREED char **before = variant->command;

			variant->command = fill_arguments(before, plan->parameters[j].placeholder,
							  variant->values[j]);
		}
	}
	return 0;
}

static int split_variables(const char *names, struct plan *plan, struct error *err)
{
	size_t count = 0, length;

	for (const char *name = names;; name += length + 1) {
		const char **variable = memory_add(&plan->variables, &count, sizeof *variable);

		length = strcspn(name, ",");
		*variable = string_printf("%.*s", (int)length, name);
		if (!length || strchr(*variable, '='))
			return error_set(err,
					 "name environment variables, as in: "
					 "--threads-env=OMP_NUM_THREADS",
					 "--threads-env cannot be '%s'", names);
		if (!name[length])
			break;
	}
	memory_add(&plan->variables, &count, sizeof *plan->variables); /* NULL at the end */
	return 0;
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
				 "or name a variable: --threads-env=OMP_NUM_THREADS",
				 "-t has several thread counts, but the command has no {} to take "
				 "them");
	return 0;
}

int plan_make(const struct plan_options *options, char *const command[], struct plan *plan,
	      struct error *err)
{
	*plan = (struct plan){.command = command};
	if (plan_threads(options, plan, err) || plan_parameters(&options->parameters, plan, err))
		return -1;
	if (!plan->nthreads)
		memory_add(&plan->threads, &plan->nthreads, sizeof *plan->threads);
	plan->runs = (size_t)options->runs;
	plan->warmup = options->warmup >= 0 ? (size_t)options->warmup : plan_count(plan) > 1;
	return 0;
}

void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->nvariants; i++)
		free(plan->variants[i].command);
	EACH_ROW(parameter, plan->parameters, plan->nparameters)
		free(parameter->values);
	free(plan->variants);
	free(plan->threads);
	free(plan->variables);
	memset(plan, 0, sizeof *plan);
}

size_t plan_count(const struct plan *plan)
{
	return (plan->warmup + plan->runs) * plan->nvariants * plan->nthreads;
}

struct planned_run plan_run(const struct plan *plan, size_t index)
{
	return (struct planned_run){
		.variant = index / plan->nthreads % plan->nvariants,
		.threads = plan->threads[index % plan->nthreads],
		.is_warmup = index / plan->nthreads / plan->nvariants < plan->warmup,
	};
}

char **plan_arguments(const struct plan *plan, const struct planned_run *run)
{
	return fill_arguments(plan->variants[run->variant].command,
			      run->threads ? THREADS_PLACEHOLDER : NULL,
			      string_printf("%d", run->threads));
}

void plan_set_variables(const struct plan *plan, const struct planned_run *run)
{
	for (size_t i = 0; plan->variables && plan->variables[i]; i++)
		memory_check(setenv(plan->variables[i], string_printf("%d", run->threads), 1));
}
