/* plan.c: works out which runs a command line asks for. */
/* SPDX-License-Identifier: MIT */
#include "cli/plan.h"

#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "base/array.h"
#include "base/ranges.h"

/* At each step the list ends with NULL, so that plan_free() can take it. */
static int split_variables(const char *names, struct plan *plan, struct error *err)
{
	char *copy = strdup(names), *rest = copy, *name;
	size_t count = 0;
	int failed = 0;

	if (!copy || !array_add(&plan->variables, &count, sizeof *plan->variables))
		failed = error_out_of_memory(err);
	while (!failed && (name = strsep(&rest, ","))) {
		if (!*name || strchr(name, '='))
			failed = error_set(err,
					   "name environment variables, as in: "
					   "--threads-env=OMP_NUM_THREADS",
					   "--threads-env cannot be '%s'", names);
		else if (!array_add(&plan->variables, &count, sizeof *plan->variables) ||
			 !(plan->variables[count - 2] = strdup(name)))
			failed = error_out_of_memory(err);
	}
	free(copy);
	return failed;
}

static int check_place(const struct plan *plan, struct error *err)
{
	if (plan->nthreads < 2 || plan->has_place || plan->variables)
		return 0;
	return error_set(err,
			 "write {} in its place, as in: blasprof -t 1,2,4 -- ./train {}, or name a "
			 "variable with --threads-env",
			 "-t has several thread counts, but the command has no {} to take them");
}

static int plan_threads(const struct plan_options *options, char *const command[],
			struct plan *plan, struct error *err)
{
	if (!options->threads && options->threads_env)
		return error_set(err, "say how many threads with -t, as in: -t 1,2,4",
				 "--threads-env has no thread count to set");
	if (!options->threads)
		return 0;
	if (ranges_parse(options->threads, &plan->threads, &plan->nthreads, err) ||
	    (options->threads_env && split_variables(options->threads_env, plan, err)))
		return -1;
	plan->has_place = arguments_have(command, THREADS_PLACEHOLDER);
	return check_place(plan, err);
}

static int plan_variants(char *const command[], struct plan *plan, struct error *err)
{
	size_t count = parameters_combinations(&plan->parameters);

	for (size_t i = 0; i < count; i++) {
		struct variant *variant =
			array_add(&plan->variants, &plan->nvariants, sizeof *variant);

		if (!variant)
			return error_out_of_memory(err);
		parameters_values(&plan->parameters, i, variant->values);
		variant->command = parameters_fill(&plan->parameters, command, variant->values);
		if (!variant->command)
			return error_out_of_memory(err);
	}
	return 0;
}

int plan_make(const struct plan_options *options, char *const command[], struct plan *plan,
	      struct error *err)
{
	memset(plan, 0, sizeof *plan);
	plan->command = command;
	if (plan_threads(options, command, plan, err) ||
	    parameters_parse(&options->parameters, command, &plan->parameters, err) ||
	    plan_variants(command, plan, err))
		return -1;
	plan->runs = (size_t)options->runs;
	if (options->warmup >= 0)
		plan->warmup = (size_t)options->warmup;
	else
		plan->warmup = plan_count(plan) > 1;
	return 0;
}

void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->nvariants; i++)
		arguments_free(plan->variants[i].command);
	free(plan->variants);
	free(plan->threads);
	arguments_free(plan->variables);
	parameters_free(&plan->parameters);
	memset(plan, 0, sizeof *plan);
}

static size_t counts(const struct plan *plan)
{
	return plan->nthreads ? plan->nthreads : 1;
}

size_t plan_kinds(const struct plan *plan)
{
	return plan->nvariants * counts(plan);
}

size_t plan_count(const struct plan *plan)
{
	return (plan->warmup + plan->runs) * plan_kinds(plan);
}

struct planned_run plan_run(const struct plan *plan, size_t index)
{
	size_t kind = index % plan_kinds(plan);

	return (struct planned_run){
		.variant = kind / counts(plan),
		.threads = plan->nthreads ? plan->threads[kind % counts(plan)] : 0,
		.is_warmup = index / plan_kinds(plan) < plan->warmup,
		.kind = kind,
	};
}

char **plan_arguments(const struct plan *plan, const struct planned_run *run)
{
	char number[16];

	snprintf(number, sizeof number, "%d", run->threads);
	if (run->threads)
		return arguments_fill(plan->variants[run->variant].command, THREADS_PLACEHOLDER,
				      number);
	return arguments_copy(plan->variants[run->variant].command);
}

int plan_set_variables(const struct plan *plan, const struct planned_run *run, struct error *err)
{
	char number[16];

	snprintf(number, sizeof number, "%d", run->threads);
	for (size_t i = 0; plan->variables && plan->variables[i]; i++)
		if (setenv(plan->variables[i], number, 1))
			return error_out_of_memory(err);
	return 0;
}
