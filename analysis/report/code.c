/* code.c: where the samples lie: functions, kinds of other code, call stacks. */
/* SPDX-License-Identifier: MIT */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/build.h"
#include "report/sums.h"

const char *outer_function(const struct report_function *function)
{
	const struct code_location *location = &function->sum.location;

	return *location->inlined_into ? location->inlined_into : location->function;
}

int function_is_blas(const struct report_function *function)
{
	return !strcmp(function->category, CATEGORY_BLAS);
}

int function_is_matrix(const struct report_function *function)
{
	return function->sum.code == RUN_CODE_OTHER && !strcmp(function->category, CATEGORY_MATRIX);
}

const char *object_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* What a kernel computes with, by its name. */
static const char *unit_of(const struct report_function *function)
{
	static const char *const units[][2] = {
		{"*amx*", "AMX"},
		{"*[_-]sme*", "SME"},
		{"*avx512*bf16*", "AVX-512 BF16"},
	};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if ((function_is_blas(function) || function_is_matrix(function)) &&
		    !fnmatch(units[i][0], outer_function(function), 0))
			return units[i][1];
	return "";
}

int build_functions(const struct run *runs, struct report *report)
{
	const struct table *table = &report_tables[REPORT_FUNCTIONS];

	if (sums_build(runs, report, RUN_PART_FUNCTIONS, "function object inlined_into code",
		       table))
		return -1;
	table_sort(table, report, "threads -samples function");
	sums_share(table, report, "samples", offsetof(struct report_function, share));
	for (size_t i = 0; i < report->nfunctions; i++) {
		struct report_function *row = &report->functions[i];
		const struct code_location *location = &row->sum.location;

		snprintf(row->category, sizeof row->category, "%s",
			 category_find(report->options.categories, location->object, row->sum.code,
				       location->function, location->inlined_into));
		row->unit = unit_of(row);
	}
	return 0;
}

static int add_samples(struct report *report, const struct report_function *function,
		       const char *category, double samples)
{
	struct report_category *row;

	if (!(samples > 0))
		return 0;
	row = array_add(&report->categories, &report->ncategories, sizeof *row);
	if (!row)
		return -1;
	row->threads = function->threads;
	snprintf(row->category, sizeof row->category, "%s", category);
	row->samples = samples;
	snprintf(row->hottest, sizeof row->hottest, "%.90s (%.30s)",
		 function->sum.location.function, object_name(function->sum.location.object));
	return 0;
}

/* Outside BLAS code BLAS's own threads have nothing to do but to wait for work. */
int build_categories(struct report *report)
{
	const struct table *table = &report_tables[REPORT_CATEGORIES];

	for (size_t i = 0; i < report->nfunctions; i++) {
		const struct report_function *function = &report->functions[i];
		double workers = function->sum.code == RUN_CODE_BLAS
					 ? 0
					 : (double)function->sum.samples_workers;

		if (!function_is_blas(function) &&
		    (add_samples(report, function, function->category,
				 (double)function->sum.samples - workers) ||
		     add_samples(report, function, CATEGORY_SPINNING, workers)))
			return -1;
	}
	table_merge_rows(table, report);
	table_sort(table, report, "threads -samples category");
	for (size_t i = 0; i < report->ncategories; i++) {
		struct report_category *row = &report->categories[i];
		double all = 0, other = 0;

		for (size_t j = 0; j < report->nfunctions; j++) {
			const struct report_function *function = &report->functions[j];
			double samples = (double)function->sum.samples;

			if (function->threads != row->threads)
				continue;
			all += samples;
			other += function_is_blas(function) ? 0 : samples;
		}
		row->share = all > 0 ? row->samples / all : NAN;
		row->share_other = other > 0 ? row->samples / other : NAN;
	}
	return 0;
}

static const char *frame_name(const struct run *run, const struct run_stack *stack)
{
	size_t frame = (size_t)stack->frame;

	return stack->frame >= 0 && frame < run->nframes && run->frames[frame].function
		       ? run->frames[frame].function
		       : "[unknown]";
}

/* The row of the caller's stack, or NULL; it comes before its callees, whatever a damaged store
 * says. */
static const struct run_stack *find_parent(const struct run *run, const struct run_stack *stack)
{
	int64_t at = stack - run->stacks;

	return stack->parent >= 0 && stack->parent < at ? &run->stacks[stack->parent] : NULL;
}

/* The stack's frames, outermost first, as one fresh text; characters that separate frames or fields
 * are replaced. */
static char *fold(const struct run *run, const struct run_stack *leaf)
{
	size_t length = 0;
	char *text, *end;

	for (const struct run_stack *stack = leaf; stack; stack = find_parent(run, stack))
		length += strlen(frame_name(run, stack)) + 1;
	text = malloc(length);
	if (!text)
		return NULL;
	end = text + length - 1;
	*end = '\0';
	for (const struct run_stack *stack = leaf; stack; stack = find_parent(run, stack)) {
		const char *name = frame_name(run, stack);
		size_t bytes = strlen(name);

		end -= bytes;
		memcpy(end, name, bytes);
		for (size_t i = 0; i < bytes; i++)
			end[i] = end[i] == ';' || end[i] == '\n' ? ':' : end[i];
		if (end > text)
			*--end = ';';
	}
	return text;
}

/* The rows of one run, for callers or for other threads. */
static int fold_run(const struct run *run, int threads, int callers, struct report *report)
{
	for (size_t i = 0; i < run->nstacks; i++) {
		const struct run_stack *stack = &run->stacks[i];
		uint64_t samples = callers ? stack->samples_callers : stack->samples_others;
		struct report_stack *row;

		if (!samples)
			continue;
		row = array_add(&report->stacks, &report->nstacks, sizeof *row);
		if (!row)
			return -1;
		row->threads = threads;
		row->role = callers ? "caller" : "other";
		row->whole = stack->whole != 0;
		row->samples = (double)samples;
		row->stack = fold(run, stack);
		if (!row->stack)
			return -1;
	}
	return 0;
}

int build_stacks(const struct run *runs, struct report *report)
{
	const struct table *table = &report_tables[REPORT_STACKS];

	for (size_t i = 0; i < report->nruns; i++)
		for (int callers = 0; report->runs[i].used && callers < 2; callers++)
			if (fold_run(&runs[i], report->runs[i].threads, callers, report))
				return -1;
	table_merge_rows(table, report);
	table_sort(table, report, "threads -samples stack");
	sums_share(table, report, "samples", offsetof(struct report_stack, share));
	return 0;
}
