/* record_options.c: parses the options that say what to record: --roi, --work, --what-if, ... */
/* SPDX-License-Identifier: MIT */
#include "cli/sweep.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "perf/event.h"
#include "perf/event_list.h"

#define FACTOR_MAX	1000
#define STACK_BYTES_MIN 256
#define STACK_BYTES_MAX 65528
_Static_assert(TIMELINE_SPANS_MAX == SPANS_MAX, "the help says so");

static const char what_if_remedy[] =
	"write units=M, blas=FACTOR or other=FACTOR, as in: --what-if=units=1,blas=1.5x";

/* Parses one item of the list, like "blas=1.5x". */
static int read_change(char *item, double what_if[WHAT_IFS], struct error *err)
{
	char *value = strchr(item, '='), *end;
	double number;
	int i = 0;

	if (!value)
		return error_set(err, what_if_remedy, "--what-if cannot be '%s'", item);
	*value++ = '\0';
	while (i < WHAT_IFS && strcmp(what_if_names[i], item))
		i++;
	if (i == WHAT_IFS)
		return error_set(err, what_if_remedy, "--what-if knows no '%s'", item);
	if (what_if[i] > 0)
		return error_set(err, "give each of units, blas and other once",
				 "--what-if has '%s' twice", item);
	number = strtod(value, &end);
	if (i != WHAT_IF_UNITS && end > value && *end == 'x')
		end++;
	if (end == value || *end)
		number = NAN;
	if (i == WHAT_IF_UNITS && !(number >= 1 && number <= INT_MAX && number == floor(number)))
		return error_set(err, "give a positive whole number, as in: --what-if=units=1",
				 "the units of --what-if cannot be '%s'", value);
	if (i != WHAT_IF_UNITS && !(number >= 1 && number <= FACTOR_MAX))
		return error_set(err,
				 "give a factor from 1 to " STRING(
					 FACTOR_MAX) ": a program can only be slowed down",
				 "--what-if cannot make '%s' take '%s' times as long", item, value);
	what_if[i] = number;
	return 0;
}

int what_if_parse(const struct option_list *list, double what_if[WHAT_IFS], struct error *err)
{
	int failed = 0;

	for (size_t i = 0; i < list->count && !failed; i++) {
		char *copy = memory_text(list->items[i]), *rest = copy, *item;

		while (!failed && (item = strsep(&rest, ",")))
			failed = read_change(item, what_if, err);
		free(copy);
	}
	return failed;
}

int call_graph_parse(const char *text, struct record_options *options, struct error *err)
{
	size_t length = text ? strcspn(text, ",") : 0;
	long bytes;
	char *end;
	int kind = 0;

	if (!text)
		return 0;
	while (kind < CALL_GRAPHS && (strlen(call_graph_names[kind]) != length ||
				      strncmp(text, call_graph_names[kind], length)))
		kind++;
	if (kind == CALL_GRAPHS || (text[length] && kind != CALL_GRAPH_DWARF))
		return error_set(err, "write fp, dwarf, dwarf,BYTES or none",
				 "--call-graph cannot be '%s'", text);
	options->call_graph = (enum call_graph)kind;
	if (!text[length])
		return 0;
	text += length + 1;
	bytes = strtol(text, &end, 10);
	if (end == text || *end || bytes < STACK_BYTES_MIN || bytes > STACK_BYTES_MAX)
		return error_set(
			err,
			"give a number of bytes from " STRING(STACK_BYTES_MIN) " to " STRING(
				STACK_BYTES_MAX) ", as in: --call-graph=dwarf,16384",
			"--call-graph cannot copy '%s' bytes of the stack", text);
	options->stack_bytes = (int)bytes & ~7; /* the kernel requires a multiple of 8 */
	return 0;
}

int follow_parse(const char *text, int *follow, struct error *err)
{
	static const char *const names[] = {
		[FOLLOW_ALL] = "all", [FOLLOW_FORKS] = "forks", [FOLLOW_NONE] = "none"};

	*follow = FOLLOW_ALL;
	if (!text)
		return 0;
	for (size_t i = 0; i < COUNT(names); i++)
		if (!strcmp(text, names[i])) {
			*follow = (int)i;
			return 0;
		}
	return error_set(err, "write all, forks or none", "--follow cannot be '%s'", text);
}

/* Kernel breakpoints see BLAS calls, but not what the program marks. */
static int check_uprobes(const struct record_options *options, struct error *err)
{
	if (options->rate_hz <= 0)
		return error_set(err, "leave out -F 0 or --uprobes",
				 "--uprobes needs the sampler, which -F 0 disables");
	if (options->roi && report_roi_is_region(options->roi))
		return error_set(err, "leave out --uprobes, or write --roi=blas or --roi=process",
				 "--uprobes does not see regions, so --roi cannot be '%s'",
				 options->roi);
	if (options->work && !strcmp(options->work, "steps"))
		return error_set(err,
				 "leave out --uprobes, or give --work a regular expression that "
				 "finds a number in the program's output",
				 "--uprobes does not see the progress that the program marks, so "
				 "--work cannot be steps");
	return 0;
}

/* Refuses events whose names nothing on this machine knows. Those of a set may be missing. */
static int check_events(const char *text, struct error *err)
{
	struct perf_event_attr attr;
	struct event_list list;
	int failed = event_list_parse(text, &list, err);

	for (size_t i = 0; i < list.count && !failed; i++)
		if (!list.terms[i].choice && !energy_is(list.terms[i].name))
			failed = event_encode(list.terms[i].name, &attr, err);
	event_list_free(&list);
	return failed;
}

int record_options_check(const struct record_options *options, struct error *err)
{
	static const struct run run;
	struct perf_event_attr attr;
	struct output_tap *tap;

	if (options->roi && (!*options->roi || strlen(options->roi) >= sizeof run.roi))
		return error_set(err,
				 "write blas, process, or the name of a region that the program "
				 "marks, of at most 31 bytes",
				 "--roi cannot be '%s'", options->roi);
	if ((options->uprobes && check_uprobes(options, err)) ||
	    (options->counted && check_events(options->counted, err)) ||
	    (options->event && event_encode(options->event, &attr, err)))
		return -1;
	if (output_tap_open(&tap, options->work, err))
		return -1;
	output_tap_free(tap);
	return 0;
}
