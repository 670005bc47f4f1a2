/* options_fuzz.c: feeds any text to what reads arguments: thread counts, sizes, what-if,
 * expressions. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "cli/sweep.h"
#include "record/record.h"
#include "launch/launch.h"
#include "base/ranges.h"

#define LONGEST 200

static void read_ranges(const char *text)
{
	int *values;
	size_t count;
	struct error err;

	if (ranges_parse(text, &values, &count, &err))
		return;
	for (size_t i = 0; i < count; i++)
		if (values[i] < 1 || values[i] > RANGES_VALUE_MAX || count > RANGES_COUNT_MAX)
			abort();
	free(values);
}

static void read_what_if(const char *text)
{
	const struct option_list list = {&text, 1};
	struct what_if what_if = {0};
	struct error err;

	if (!what_if_parse(&list, &what_if, &err) && (what_if.units < 0 || what_if.blas < 0))
		abort();
}

/* The library's compiler of expressions takes any time and memory for repetitions of repetitions;
 * who writes them waits for them. */
static void read_expression(const char *text)
{
	struct output_tap *tap;
	struct error err;
	double number;
	int is_rate;

	if (strpbrk(text, "{+*?\\") || output_tap_open(&tap, text, &err))
		return;
	output_tap_finish(tap, &number, &is_rate);
	output_tap_free(tap);
}

static void read_plan(const char *text, int env)
{
	static char words[][12] = {"./train", "{}", "--size={a}"};
	char *command[] = {words[0], words[1], words[2], NULL};
	struct plan_options options = {.threads = env ? "1,2" : text,
				       .threads_env = env ? text : NULL,
				       .parameters = {&text, 1},
				       .runs = 2,
				       .warmup = -1};
	struct plan plan = {0};
	struct error err;

	if (!plan_make(&options, command, &plan, &err))
		for (size_t i = 0; i < plan_count(&plan) && i < 20; i++) {
			struct planned_run planned = plan_run(&plan, i);

			arguments_free(plan_arguments(&plan, &planned));
		}
	plan_free(&plan);
}

static void read_command(const char *text)
{
	char copy[LONGEST + 1], *words[LONGEST + 1], *rest = copy;
	size_t count = 0;

	strcpy(copy, text);
	while ((words[count] = strsep(&rest, "\n")))
		count++;
	free(command_join(words));
	free(experiment_name(words, 4));
}

FUZZ(options)
{
	char text[LONGEST + 1];

	if (size > LONGEST)
		return;
	memcpy(text, data, size);
	text[size] = '\0';
	read_ranges(text);
	read_what_if(text);
	read_expression(text);
	read_plan(text, 0);
	read_plan(text, 1);
	read_command(text);
}
