/* firefox.c: writes the call stacks as a profile for the Firefox Profiler (profiler.firefox.com),
 * in its processed profile format. */
/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/memory.h"
#include "report/build.h"
#include "write/escape.h"
#include "write/format.h"
#include "write/frame_tree.h"

/* The versions of the formats, as in the documentation of the Firefox Profiler. */
#define PROCESSED_VERSION 47
#define GECKO_VERSION	  27

/* The categories of code in the order of the profile's list. The grey one is the default. */
enum { CATEGORY_UNKNOWN, CATEGORY_CODE };
static const struct {
	const char *name, *colour;
} categories[CATEGORY_CODE + RUN_CODE_COUNT] = {
	[CATEGORY_UNKNOWN] = {"Other", "grey"},
	[CATEGORY_CODE + RUN_CODE_BLAS] = {"BLAS", "blue"},
	[CATEGORY_CODE + RUN_CODE_OTHER] = {"Other code", "green"},
	[CATEGORY_CODE + RUN_CODE_KERNEL] = {"Kernel", "orange"},
	[CATEGORY_CODE + RUN_CODE_SPIN] = {"Spinning", "red"},
};

/* A thread of the profile stands for all threads with the same role. */
struct profile {
	const struct frame_tree *tree;
	const char *role;
	int *codes; /* the category of each name in the tree, or CATEGORY_UNKNOWN */
};

/* The following return the value of a column in row `at`; less than 0 stands for null. */
static json_int_t own_place(const struct profile *profile, size_t at)
{
	return (json_int_t)at;
}

static json_int_t name_category(const struct profile *profile, size_t at)
{
	return profile->codes[at] ? profile->codes[at] : -1;
}

static json_int_t node_name(const struct profile *profile, size_t at)
{
	return profile->tree->nodes[at].name;
}

static json_int_t node_parent(const struct profile *profile, size_t at)
{
	return profile->tree->nodes[at].parent; /* FRAME_NONE is null */
}

/* A function that was never the innermost one has the category of its caller. */
static json_int_t node_category(const struct profile *profile, size_t at)
{
	for (long node = (long)at; node != FRAME_NONE; node = profile->tree->nodes[node].parent)
		if (profile->codes[profile->tree->nodes[node].name])
			return profile->codes[profile->tree->nodes[node].name];
	return CATEGORY_UNKNOWN;
}

/* A column of a table of the profile: a number for each row, or the same JSON value in all rows. */
struct firefox_column {
	const char *name, *same;
	json_int_t (*value)(const struct profile *profile, size_t at);
};
static const struct firefox_column function_columns[] = {
	{"name", NULL, own_place},  {"isJS", "false"},
	{"relevantForJS", "false"}, {"resource", "-1"},
	{"fileName", "null"},	    {"lineNumber", "null"},
	{"columnNumber", "null"},   {NULL},
};
/* There is one frame for each function. */
static const struct firefox_column frame_columns[] = {
	{"address", "-1"},
	{"inlineDepth", "0"},
	{"category", NULL, name_category},
	{"subcategory", "0"},
	{"func", NULL, own_place},
	{"nativeSymbol", "null"},
	{"innerWindowID", "0"},
	{"implementation", "null"},
	{"line", "null"},
	{"column", "null"},
	{NULL},
};
static const struct firefox_column stack_columns[] = {
	{"frame", NULL, node_name},
	{"category", NULL, node_category},
	{"subcategory", "0"},
	{"prefix", NULL, node_parent},
	{NULL},
};
/* The following tables have no rows. */
static const struct firefox_column marker_columns[] = {
	{"data"}, {"name"}, {"startTime"}, {"endTime"}, {"phase"}, {"category"}, {NULL}};
static const struct firefox_column resource_columns[] = {
	{"lib"}, {"name"}, {"host"}, {"type"}, {NULL}};
static const struct firefox_column symbol_columns[] = {
	{"libIndex"}, {"address"}, {"name"}, {"functionSize"}, {NULL}};

static json_t *table_json(const struct profile *profile, const struct firefox_column *column,
			  size_t length)
{
	json_t *table = json_pack("{s:I}", "length", (json_int_t)length);

	for (; column->name; column++) {
		json_t *list = json_array();

		for (size_t i = 0; i < length; i++) {
			json_int_t number = column->same ? 0 : column->value(profile, i);

			json_array_append_new(
				list, column->same ? json_loads(column->same, JSON_DECODE_ANY, NULL)
				      : number < 0 ? json_null()
						   : json_integer(number));
		}
		json_object_set_new(table, column->name, list);
	}
	return table;
}

static double interval_ms(const struct frame_tree *tree)
{
	return tree->rate_hz > 0 ? 1e3 / tree->rate_hz : 1;
}

/* The times of the samples are not known, so they are laid out one after the other, stack by stack.
 */
static json_t *samples_table(const struct profile *profile)
{
	json_t *stacks = json_array(), *times = json_array(), *weights = json_array();
	const struct frame_tree *tree = profile->tree;
	double samples = 0;

	EACH_ROW(leaf, tree->leaves, tree->nleaves) {
		const struct report_stack *stack = leaf->stack;

		if (strcmp(stack->role, profile->role) != 0)
			continue;
		json_array_append_new(stacks, json_integer(leaf->node));
		json_array_append_new(times, json_real(samples * interval_ms(tree)));
		json_array_append_new(weights, json_integer((json_int_t)stack->samples));
		samples += stack->samples;
	}
	return json_pack("{s:o, s:o, s:o, s:s, s:I}", "stack", stacks, "time", times, "weight",
			 weights, "weightType", "samples", "length",
			 (json_int_t)json_array_size(stacks));
}

static json_t *thread_json(const struct profile *profile, int number)
{
	size_t nnames = profile->tree->nnames;
	json_t *thread = json_pack(
		"{s:s, s:i, s:n, s:i, s:n, s:[], s:s, s:b, s:s, s:i}", "processType", "default",
		"processStartupTime", 0, "processShutdownTime", "registerTime", 0, "unregisterTime",
		"pausedRanges", "name", number ? "other threads" : "threads that call BLAS",
		"isMainThread", !number, "pid", "1", "tid", number + 1);
	json_t *strings = json_array();

	json_object_set_new(thread, "samples", samples_table(profile));
	json_object_set_new(thread, "markers", table_json(profile, marker_columns, 0));
	json_object_set_new(thread, "stackTable",
			    table_json(profile, stack_columns, profile->tree->nnodes));
	json_object_set_new(thread, "frameTable", table_json(profile, frame_columns, nnames));
	json_object_set_new(thread, "funcTable", table_json(profile, function_columns, nnames));
	json_object_set_new(thread, "resourceTable", table_json(profile, resource_columns, 0));
	json_object_set_new(thread, "nativeSymbols", table_json(profile, symbol_columns, 0));
	json_object_set_new(thread, "stringArray", strings);
	for (size_t i = 0; i < nnames; i++)
		json_array_append_new(strings, json_string(profile->tree->names[i]));
	return thread;
}

static json_t *meta_json(const struct report *report, const struct frame_tree *tree)
{
	char *command = escape_copy(report->command, "");
	json_t *list = json_array(), *meta;
	struct tm utc = {0};
	double started_ms = 0; /* since the epoch; 0: not known */

	if (strptime(report->started, "%Y-%m-%dT%H:%M:%SZ", &utc))
		started_ms = 1e3 * (double)timegm(&utc);
	EACH_ROW(category, categories, COUNT(categories))
		json_array_append_new(list, json_pack("{s:s, s:s, s:[s]}", "name", category->name,
						      "color", category->colour, "subcategories",
						      "Other"));
	meta = json_pack("{s:f, s:f, s:i, s:s, s:i, s:i, s:i, s:o, s:[], s:b, s:s, s:s*, "
			 "s:b, s:b, s:b, s:b}",
			 "interval", interval_ms(tree), "startTime", started_ms, "processType", 0,
			 "product", "blasprof", "stackwalk", 1, "version", GECKO_VERSION,
			 "preprocessedProfileVersion", PROCESSED_VERSION, "categories", list,
			 "markerSchema", "symbolicated", 1, "importedFrom", "blasprof", "arguments",
			 command, "usesOnlyOneStackType", 1, "doesNotUseFrameImplementation", 1,
			 "sourceCodeIsNotOnSearchfox", 1, "keepProfileThreadOrder", 1);
	free(command);
	return meta;
}

int firefox_write(const struct report *report, const char *part, FILE *out, struct error *err)
{
	static const char *const roles[] = {"caller", "other"};
	struct frame_tree tree;
	struct profile profile = {.tree = &tree};
	json_t *threads, *json;

	if (frame_tree_build(report, &tree, err))
		return -1;
	profile.codes = memory_rows(tree.nnames, sizeof *profile.codes);
	for (size_t i = 0; i < tree.nnames; i++) /* those with samples of their own have a code */
		EACH_AT(function, report, functions, tree.threads)
			if (!profile.codes[i] && function->sum.code < RUN_CODE_COUNT &&
			    !strcmp(function->sum.location.function, tree.names[i]))
				profile.codes[i] = CATEGORY_CODE + (int)function->sum.code;
	threads = json_array();
	for (int i = 0; i < 2; i++) {
		profile.role = roles[i];
		json_array_append_new(threads, thread_json(&profile, i));
	}
	json = json_pack("{s:o, s:[], s:o}", "meta", meta_json(report, &tree), "libs", "threads",
			 threads);
	json_dumpf(json, out, JSON_COMPACT | JSON_REAL_PRECISION(15));
	json_decref(json);
	free(profile.codes);
	frame_tree_free(&tree);
	return 0;
}
