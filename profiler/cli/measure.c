/* measure.c: reads --what-if and --call-graph, and checks --roi and --work. */
/* SPDX-License-Identifier: MIT */
#include "cli/measure.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "launch/output_tap.h"
#include "wire/session.h"

#define FACTOR_MAX	1000
#define STACK_BYTES_MIN 256
#define STACK_BYTES_MAX 65528
_Static_assert(TIMELINE_SPANS_MAX == SPANS_MAX, "as the help says");

static const char what_if_remedy[] =
	"write units=M, blas=FACTOR or other=FACTOR, as in: --what-if=units=1,blas=1.5x";

/* The number that `text` is, with or without an x after it where `factor`. NAN where it is none. */
static double read_number(const char *text, int factor)
{
	char *end;
	double number = strtod(text, &end);

	if (factor && end > text && *end == 'x')
		end++;
	return end == text || *end ? NAN : number;
}

static int set_units(const char *text, struct what_if *what_if, struct error *err)
{
	double units = read_number(text, 0);

	if (!(units >= 1 && units <= INT_MAX) || units != floor(units))
		return error_set(err, "give a whole number from 1 on, as in: --what-if=units=1",
				 "the units of --what-if cannot be '%s'", text);
	what_if->units = (int)units;
	return 0;
}

static int set_factor(const char *name, const char *text, double *factor, struct error *err)
{
	double number = read_number(text, 1);

	if (!(number >= 1 && number <= FACTOR_MAX))
		return error_set(err,
				 "give a factor from 1 to " STRING(
					 FACTOR_MAX) ": a program can be slowed down only",
				 "--what-if cannot make '%s' take '%s' times as long", name, text);
	*factor = number;
	return 0;
}

/* 1 where it was named before. */
static int is_set(const char *name, const struct what_if *what_if)
{
	return (!strcmp(name, "units") && what_if->units) ||
	       (!strcmp(name, "blas") && what_if->blas > 0) ||
	       (!strcmp(name, "other") && what_if->other > 0);
}

static int set_one(char *item, struct what_if *what_if, struct error *err)
{
	char *value = strchr(item, '=');

	if (!value)
		return error_set(err, what_if_remedy, "--what-if cannot be '%s'", item);
	*value++ = '\0';
	if (is_set(item, what_if))
		return error_set(err, "give each of units, blas and other once",
				 "--what-if has '%s' twice", item);
	if (!strcmp(item, "units"))
		return set_units(value, what_if, err);
	if (!strcmp(item, "blas"))
		return set_factor(item, value, &what_if->blas, err);
	if (!strcmp(item, "other"))
		return set_factor(item, value, &what_if->other, err);
	return error_set(err, what_if_remedy, "--what-if knows no '%s'", item);
}

static int set_items(const char *text, struct what_if *what_if, struct error *err)
{
	char *copy = strdup(text), *rest = copy, *item;
	int failed = copy ? 0 : error_out_of_memory(err);

	while (!failed && (item = strsep(&rest, ",")))
		failed = set_one(item, what_if, err);
	free(copy);
	return failed;
}

int what_if_parse(const struct option_list *texts, struct what_if *what_if, struct error *err)
{
	for (size_t i = 0; i < texts->count; i++)
		if (set_items(texts->texts[i], what_if, err))
			return -1;
	return 0;
}

static int set_stack_bytes(const char *text, int *bytes, struct error *err)
{
	char *end;
	long number = strtol(text, &end, 10);

	if (end == text || *end || number < STACK_BYTES_MIN || number > STACK_BYTES_MAX)
		return error_set(
			err,
			"give a number of bytes from " STRING(STACK_BYTES_MIN) " to " STRING(
				STACK_BYTES_MAX) ", as in: --call-graph=dwarf,16384",
			"--call-graph cannot copy '%s' bytes of the stack", text);
	*bytes = (int)number & ~7; /* the kernel takes whole words */
	return 0;
}

int call_graph_parse(const char *text, struct record_options *options, struct error *err)
{
	size_t length = text ? strcspn(text, ",") : 0;

	if (!text)
		return 0;
	for (int i = 0; i < CALL_GRAPHS; i++) {
		if (strlen(call_graph_names[i]) != length ||
		    strncmp(text, call_graph_names[i], length))
			continue;
		options->call_graph = (enum call_graph)i;
		if (!text[length])
			return 0;
		if (i == CALL_GRAPH_DWARF)
			return set_stack_bytes(text + length + 1, &options->stack_bytes, err);
	}
	return error_set(err, "write fp, dwarf, dwarf,BYTES or none", "--call-graph cannot be '%s'",
			 text);
}

int timeline_parse(const char *text, int wanted, struct record_options *options, struct error *err)
{
	size_t length = text ? strcspn(text, ",") : 0;
	int is_last = length == 4 && !strncmp(text, "last", length);
	int is_first = length == 5 && !strncmp(text, "first", length);
	char *end = NULL;
	long spans = TIMELINE_SPANS;

	if (text && text[length])
		spans = strtol(text + length + 1, &end, 10);
	if (text && ((!is_last && !is_first) || (end && *end) || spans < 1 || spans > SPANS_MAX))
		return error_set(err,
				 "write first,N or last,N with N from 1 to " STRING(
					 TIMELINE_SPANS_MAX) ", as in: --timeline-keep=last,50000",
				 "--timeline-keep cannot be '%s'", text);
	options->spans = text || wanted ? (int)spans : 0;
	options->spans_first = is_first;
	return 0;
}

/* The kernel's breakpoints see calls of BLAS, and no marks of the program. */
static int uprobes_check(const struct record_options *options, struct error *err)
{
	if (options->rate_hz <= 0)
		return error_set(err, "leave -F 0 out, or --uprobes",
				 "--uprobes takes its records from the buffers of samples");
	if (options->roi && strcmp(options->roi, "blas") != 0 &&
	    strcmp(options->roi, "process") != 0)
		return error_set(err, "leave --uprobes out, or write --roi=blas or --roi=process",
				 "--uprobes has no regions, so --roi cannot be '%s'", options->roi);
	if (options->work && !strcmp(options->work, "steps"))
		return error_set(err,
				 "leave --uprobes out, or give --work a regular expression that "
				 "finds a number in the program's output",
				 "--uprobes sees no progress that the program marks, so --work "
				 "cannot be steps");
	return 0;
}

int measure_check(const struct record_options *options, struct error *err)
{
	static const struct run run;
	struct output_tap *tap;

	if (options->roi && (!*options->roi || strlen(options->roi) >= sizeof run.roi))
		return error_set(err,
				 "write blas, process, or the name of a region that the program "
				 "marks, of at most 31 bytes",
				 "--roi cannot be '%s'", options->roi);
	if (options->uprobes && uprobes_check(options, err))
		return -1;
	if (!options->work || !strcmp(options->work, "flops") || !strcmp(options->work, "steps"))
		return 0;
	if (output_tap_open(&tap, options->work, err))
		return -1;
	output_tap_free(tap);
	return 0;
}

int follow_parse(const char *text, int *follow, struct error *err)
{
	static const char *const names[] = {
		[FOLLOW_ALL] = "all", [FOLLOW_FORKS] = "forks", [FOLLOW_NONE] = "none"};

	*follow = FOLLOW_ALL;
	for (size_t i = 0; text && i < sizeof names / sizeof *names; i++)
		if (!strcmp(text, names[i])) {
			*follow = (int)i;
			return 0;
		}
	return text ? error_set(err, "write all, forks or none", "--follow cannot be '%s'", text)
		    : 0;
}
