/* code.c: where the samples are: functions, kinds of other code, call stacks. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/compute_unit.h"
#include "base/memory.h"
#include "base/string_pool.h"
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

void build_functions(struct report *report)
{
	const struct table *table = &report_tables[REPORT_FUNCTIONS];

	sums_build(report, RUN_PART_FUNCTIONS, "function object inlined_into code", table);
	table_sort(table, report, "threads -samples function");
	sums_share(table, report, "samples", offsetof(struct report_function, share));
	EACH_ROW(row, report->functions, report->nfunctions) {
		const struct code_location *location = &row->sum.location;

		snprintf(row->category, sizeof row->category, "%s",
			 category_find(report->options.categories, location->object, row->sum.code,
				       location->function, location->inlined_into));
		row->unit = function_is_blas(row) || function_is_matrix(row)
				    ? compute_unit_name(compute_unit_of(outer_function(row)))
				    : "";
	}
}

static void add_samples(struct report *report, const struct report_function *function,
			const char *category, double samples)
{
	struct report_category *row;

	if (!(samples > 0))
		return;
	row = memory_add(&report->categories, &report->ncategories, sizeof *row);
	row->threads = function->threads;
	snprintf(row->category, sizeof row->category, "%s", category);
	row->samples = samples;
	row->hottest = string_printf("%.90s (%.30s)", function->sum.location.function,
				     object_name(function->sum.location.object));
}

/* In the kernel, BLAS's own threads do nothing but wait for work, so that counts as spinning. */
void build_categories(struct report *report)
{
	const struct table *table = &report_tables[REPORT_CATEGORIES];

	EACH_ROW(function, report->functions, report->nfunctions) {
		int is_waiting = function->sum.code == RUN_CODE_KERNEL ||
				 function->sum.code == RUN_CODE_SPIN;
		double workers = is_waiting ? (double)function->sum.samples_workers : 0;

		if (function_is_blas(function))
			continue;
		add_samples(report, function, function->category,
			    (double)function->sum.samples - workers);
		add_samples(report, function, CATEGORY_SPINNING, workers);
	}
	table_merge_rows(table, report);
	table_sort(table, report, "threads -samples category");
	EACH_ROW(row, report->categories, report->ncategories) {
		double all = 0, other = 0;

		EACH_AT(function, report, functions, row->threads) {
			double samples = (double)function->sum.samples;

			all += samples;
			other += function_is_blas(function) ? 0 : samples;
		}
		row->share = all > 0 ? row->samples / all : NAN;
		row->share_other = other > 0 ? row->samples / other : NAN;
	}
}

/* NULL if there is no stack, or the store is damaged. */
static const struct run_frame *find_frame(const struct run *run, const struct run_stack *stack)
{
	return stack && stack->frame >= 0 && (size_t)stack->frame < run->nframes
		       ? &run->frames[stack->frame]
		       : NULL;
}

static const char *frame_name(const struct run *run, const struct run_stack *stack)
{
	const struct run_frame *frame = find_frame(run, stack);

	return frame && frame->function ? frame->function : "[unknown]";
}

/* The row of the caller's stack, or NULL. Callers come before their callees; a damaged store may
 * say otherwise. */
static const struct run_stack *find_parent(const struct run *run, const struct run_stack *stack)
{
	int64_t at = stack - run->stacks;

	return stack->parent >= 0 && stack->parent < at ? &run->stacks[stack->parent] : NULL;
}

/* The names of the stack's frames, outermost first; semicolons and newlines in names become colons.
 */
static const char *fold_stack(const struct run *run, const struct run_stack *leaf)
{
	const char *folded;
	size_t length = 0;
	char *text, *end;

	for (const struct run_stack *stack = leaf; stack; stack = find_parent(run, stack))
		length += strlen(frame_name(run, stack)) + 1;
	text = memory_rows(length, 1);
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
	folded = string_pooled(text);
	free(text);
	return folded;
}

/* Adds the stacks of one run, of callers or of other threads. */
static void fold_run(const struct run *run, int threads, int callers, struct report *report)
{
	EACH_ROW(stack, run->stacks, run->nstacks) {
		uint64_t samples = callers ? stack->samples_callers : stack->samples_others;
		struct report_stack *row;

		if (!samples)
			continue;
		row = memory_add(&report->stacks, &report->nstacks, sizeof *row);
		row->threads = threads;
		row->role = callers ? "caller" : "other";
		row->whole = stack->whole != 0;
		row->samples = (double)samples;
		row->stack = fold_stack(run, stack);
	}
}

/* Samples of callers at each line of the program's script (amounts[0]), such as "forward
 * (train.py:31)", and the time of BLAS calls there (amounts[1]). */
struct script {
	struct tally lines;
	double samples, blas_ns; /* of callers, at any line or none */
	double imports;		 /* the samples that are inside an import */
};

/* 1 for code of the program itself, not of a library, an interpreter or the kernel. */
static int is_own(const struct run_frame *frame)
{
	return frame->code == RUN_CODE_OTHER && *frame->object == '/' &&
	       object_owner(frame->object) == OWNER_PROGRAM && !python_is_library(frame->object);
}

int function_is_standard(const char *function)
{
	static const char *const names[] = {
		"std::",   "__gnu_cxx::", "__gthread_", "__glibcxx_", "__invoke",
		"core::",  "alloc::",	  "f32>::",	"f64>::",     "Eigen::",
		"boost::", "thrust::",	  "Kokkos::",	"arma::"};

	function += *function == '<';
	EACH_ROW(name, names, COUNT(names))
		if (!strncmp(function, *name, strlen(*name)))
			return 1;
	return 0;
}

/* 1 if the name tells where in the program it is: main() may be all of it, or only start it. */
static int name_tells(const char *function)
{
	return !strstr(function, "+0x") && strcmp(function, "main") != 0 &&
	       strcmp(function, "_start") != 0 && !function_is_standard(function);
}

/* 1 for functions of libraries that tell something; those of runtimes do not. */
static int is_telling_library(const struct run_frame *frame)
{
	return frame->code == RUN_CODE_OTHER && object_owner(frame->object) == OWNER_LIBRARY &&
	       name_tells(frame->function);
}

/* 1 if the stack ends in other code without a symbol, such as a main() that is taken for the
 * _start() before it. */
static int lacks_symbol(const struct run *run, const struct run_stack *stack)
{
	const struct run_frame *frame = find_frame(run, stack);

	return frame && frame->code == RUN_CODE_OTHER &&
	       (strstr(frame->function, "+0x") || !strcmp(frame->function, "_start"));
}

/* Adds the samples of the stack to the innermost function of the program's own that tells where it
 * is and is not excluded (NULL: none is); if there is none, and `any` is 1, to the innermost that
 * is not excluded. If that, or the end of the stack, has no symbol, they are added to the innermost
 * function of a library that tells something. Returns 0 if nothing tells. */
static int add_to_own(const struct run *run, const struct run_stack *stack, const char *excluded,
		      int any, double *sums)
{
	double samples = (double)(stack->samples_callers + stack->samples_others);
	const struct run_stack *innermost = NULL, *library = NULL, *end = stack;

	for (; stack; stack = find_parent(run, stack)) {
		const struct run_frame *frame = find_frame(run, stack);

		if (!frame || (excluded && excluded[stack->frame]))
			continue;
		if (!library && is_telling_library(frame))
			library = stack;
		if (!is_own(frame))
			continue;
		if (name_tells(frame_name(run, stack)))
			break;
		innermost = innermost ? innermost : stack;
	}
	if (!stack && library && lacks_symbol(run, any ? innermost : end))
		stack = library;
	else if (!stack && any)
		stack = innermost;
	if (stack)
		sums[stack->frame] += samples;
	return stack != NULL;
}

/* Returns 1 for each stack that is in a parallel region of OpenMP; free it. */
static char *find_openmp(const struct run *run)
{
	char *inside = memory_rows(run->nstacks + 1, 1);

	EACH_ROW(stack, run->stacks, run->nstacks) {
		const struct run_stack *caller = find_parent(run, stack);
		const struct run_frame *frame = find_frame(run, stack);

		inside[stack - run->stacks] = (caller && inside[caller - run->stacks]) ||
					      (frame && object_runs_openmp(frame->object));
	}
	return inside;
}

/* Adds the samples outside the parallel regions of OpenMP to functions that do not run in these. */
static void add_outside_openmp(const struct run *run, char *excluded, double *sums)
{
	char *inside = find_openmp(run);

	EACH_ROW(stack, run->stacks, run->nstacks)
		if (find_frame(run, stack))
			excluded[stack->frame] |= inside[stack - run->stacks];
	EACH_ROW(stack, run->stacks, run->nstacks)
		if (stack->whole && !inside[stack - run->stacks])
			add_to_own(run, stack, excluded, 1, sums);
	free(inside);
}

/* 1 for a line of a script: "step (train.py:31)". */
static int is_script(const struct run_frame *frame)
{
	char file[280];

	snprintf(file, sizeof file, " (%.270s:", object_name(frame->object));
	return strstr(frame->function, file) != NULL;
}

/* Returns "train.py:31 step()" for such a line. */
static const char *script_line_place(const char *line)
{
	const char *file = strstr(line, " (");
	char place[CAUSE_PLACE_MAX];

	/* without the last bracket; the file's name may have some, too */
	snprintf(place, sizeof place, "%.*s %.*s%s", (int)strlen(file + 2) - 1, file + 2,
		 (int)(file - line), line, *line == '<' ? "" : "()");
	return string_pooled(place);
}

/* Returns the function of the frame with the largest sum, or NULL if all are 0 or if that is a
 * library's and less than `least`. */
static const char *find_largest(const struct run *run, const double *sums, double least)
{
	const struct run_frame *largest = NULL;
	double most = 0;

	for (size_t i = 0; i < run->nframes; i++)
		if (sums[i] > most) {
			most = sums[i];
			largest = &run->frames[i];
		}
	if (most < least && largest && !is_own(largest))
		return NULL;
	return !largest		    ? NULL
	       : is_script(largest) ? script_line_place(largest->function)
				    : largest->function;
}

static const char *frame_category(const struct run_frame *frame,
				  const struct categories *categories)
{
	return frame ? category_find(categories, frame->object, frame->code, frame->function, "")
		     : "";
}

/* 1 for code of the kernel that has no category of its own. */
static int is_plain_kernel(const struct run_frame *frame, const struct categories *categories)
{
	return frame && frame->code == RUN_CODE_KERNEL &&
	       !strcmp(frame_category(frame, categories), CATEGORY_KERNEL);
}

/* Returns the category of the code that the stack ends in. In the kernel it may be that of a
 * caller, such as a system call or the code that made it. */
static const char *stack_category(const struct run *run, const struct run_stack *stack,
				  const struct categories *categories)
{
	const struct run_frame *frame = find_frame(run, stack);

	while (is_plain_kernel(frame, categories)) {
		stack = find_parent(run, stack);
		frame = find_frame(run, stack);
	}
	return frame_category(frame, categories);
}

double build_entered(const struct run *run, const struct categories *categories,
		     const char *category)
{
	double in = 0, all = 0;

	EACH_ROW(stack, run->stacks, run->nstacks) {
		double samples = (double)(stack->samples_callers + stack->samples_others);

		if (!(samples > 0) || !is_plain_kernel(find_frame(run, stack), categories))
			continue;
		all += samples;
		if (!strcmp(stack_category(run, stack, categories), category))
			in += samples;
	}
	return all > 0 ? in / all : 0;
}

const char *build_calling(const struct run *run, const struct categories *categories,
			  const char *category)
{
	double *sums = memory_rows(run->nframes + 1, sizeof *sums);
	const char *name;

	EACH_ROW(stack, run->stacks, run->nstacks)
		if (!strcmp(stack_category(run, stack, categories), category))
			add_to_own(run, stack, NULL, 1, sums);
	name = find_largest(run, sums, 0);
	free(sums);
	return name ? name : "";
}

const char *build_caller(const struct run *run, const char *object, const char *function)
{
	double *sums = memory_rows(run->nframes + 1, sizeof *sums);
	const char *name;

	EACH_ROW(leaf, run->stacks, run->nstacks) {
		const struct run_stack *stack = leaf;

		while (stack && (!find_frame(run, stack) ||
				 strcmp(find_frame(run, stack)->object, object) != 0 ||
				 (function && strcmp(frame_name(run, stack), function) != 0)))
			stack = find_parent(run, stack);
		if (stack)
			add_to_own(run, leaf, NULL, 1, sums);
	}
	name = find_largest(run, sums, 0);
	free(sums);
	return name ? name : "";
}

/* 1 if the name is that of the function, or a line of it: "sort" of "sort (fit.py:4)". */
static int names_function(const char *name, const struct run_frame *frame, const char *function)
{
	size_t length = strlen(function);

	return !strncmp(name, function, length) &&
	       (!name[length] || (!strncmp(name + length, " (", 2) && frame && is_script(frame)));
}

/* 1 if the stack ends in the function, and, if that is inlined, in the copy in the same function.
 * Excludes inlined ones, of which other functions have copies that other threads may run; they tell
 * where the thread is if no other function does. */
static int ends_in(const struct run *run, const struct run_stack *stack,
		   const struct code_location *location, char *excluded)
{
	const struct run_frame *frame = find_frame(run, stack);

	if (!names_function(frame_name(run, stack), frame, location->function))
		return 0;
	while (frame && frame->inlined) {
		excluded[stack->frame] = 1;
		stack = find_parent(run, stack);
		frame = find_frame(run, stack);
	}
	return !location->inlined_into || !*location->inlined_into ||
	       (frame && !strcmp(frame->function, location->inlined_into));
}

/* A thread's functions with a smaller part of its samples may be its own by chance. */
#define ALONE_ONE_IN 20

const char *build_alone(const struct run *run, int64_t tid)
{
	double *sums = memory_rows(run->nframes + 1, sizeof *sums), most = 0, blas = 0, all = 0;
	char *excluded = memory_rows(run->nframes + 1, 1);
	const char *name = "", *own;
	uint64_t outside = 0, computing = 0;

	EACH_ROW(thread, run->threads, run->nthreads)
		if (thread->tid == tid) {
			outside += thread->samples_alone;
			computing += thread->samples_blas + thread->samples_other;
		}
	if (outside)
		add_outside_openmp(run, excluded, sums);
	EACH_ROW(function, run->functions, outside ? 0 : run->nfunctions) {
		if (!function_is_alone(function, tid))
			continue;
		all += (double)function->samples;
		blas += function->code == RUN_CODE_BLAS ? (double)function->samples : 0;
		/* functions of the kernel, and of the C library that an interpreter calls, tell
		 * nothing */
		if (function->code != RUN_CODE_BLAS && function->code != RUN_CODE_KERNEL &&
		    !strstr(function->location.object, "/libc.so") &&
		    (double)function->samples > most) {
			most = (double)function->samples;
			name = function->location.function;
		}
		EACH_ROW(stack, run->stacks, run->nstacks)
			if (ends_in(run, stack, &function->location, excluded) &&
			    !add_to_own(run, stack, excluded, 0, sums))
				add_to_own(run, stack, NULL, 0, sums);
	}
	own = find_largest(run, sums, most);
	free(excluded);
	free(sums);
	if (!outside && all * ALONE_ONE_IN < (double)computing)
		return "";
	return own ? own : blas > all / 2 ? NULL : name;
}

/* Returns 1 if no sample is of a thread that makes BLAS calls: then all threads' samples tell. */
static int lacks_callers(const struct run *run)
{
	EACH_ROW(stack, run->stacks, run->nstacks)
		if (stack->samples_callers)
			return 0;
	return 1;
}

const char *build_outside(const struct run *run)
{
	struct {
		uint64_t all, itself;
	} *sums = memory_rows(run->nframes + 1, sizeof *sums), outside = {0};
	const char *name = "";
	int use_others = lacks_callers(run);

	EACH_ROW(leaf, run->stacks, run->nstacks) {
		const struct run_stack *stack = leaf;
		const struct run_frame *frame = find_frame(run, leaf);
		uint64_t samples = use_others ? leaf->samples_others : leaf->samples_callers;

		while (frame && frame->code != RUN_CODE_BLAS &&
		       (!is_own(frame) || function_is_standard(frame->function)) &&
		       !strstr(frame->object, "/libblasprof.so")) {
			stack = find_parent(run, stack);
			frame = find_frame(run, stack);
		}
		if (frame && !is_own(frame))
			continue;
		outside.all += samples;
		if (!frame)
			continue;
		sums[stack->frame].all += samples;
		sums[stack->frame].itself += stack == leaf ? samples : 0;
	}
	for (size_t i = 0; i < run->nframes; i++)
		if (sums[i].all > outside.all / 2 && sums[i].itself < sums[i].all / 2 &&
		    name_tells(run->frames[i].function))
			name = run->frames[i].function;
	free(sums);
	return name;
}

/* What a frame, or a stack up to it, says of the program's script. */
struct script_line {
	const char *name; /* the innermost line of the program's own script; NULL: none */
	/* 1 for code of a script outside all functions, which only its main thread runs; but 0 in a
	 * parallel region of OpenMP, where others run, too */
	int is_main;
	int is_openmp;
	int is_import;
	int spins;
};

static void add_script_line(struct script *script, const struct script_line *line, double samples)
{
	script->samples += samples;
	script->imports += line->is_import ? samples : 0;
	if (line->name)
		tally_add(&script->lines, 0, line->name, samples);
}

/* Calls are of no use if no sample has a line of a script. */
static void add_script_calls(struct script *script, const struct run *run)
{
	for (size_t i = 0; script->lines.count && i < run->ncallers; i++) {
		const struct code_location *at = &run->callers[i].location;
		double ns = (double)run->callers[i].total_ns;

		script->blas_ns += ns;
		tally_add(&script->lines, 1,
			  string_printf("%.200s (%.200s:%d)", at->function,
					at->file ? object_name(at->file) : "", at->line),
			  ns);
	}
}

/* Marks the functions in which most samples spin. */
static void find_spinning(const struct run *run, struct script_line *frames)
{
	EACH_ROW(loop, run->functions, run->nfunctions) {
		double spins = 0;

		EACH_ROW(row, run->functions, loop->code == RUN_CODE_SPIN ? run->nfunctions : 0)
			if (!strcmp(row->location.function, loop->location.function) &&
			    !strcmp(row->location.object, loop->location.object))
				spins += row->code == RUN_CODE_SPIN ? (double)row->samples
								    : -(double)row->samples;
		for (size_t i = 0; spins > 0 && i < run->nframes; i++)
			frames[i].spins |=
				!strcmp(run->frames[i].function, loop->location.function) &&
				!strcmp(run->frames[i].object, loop->location.object);
	}
}

/* Adds a run to what is known of all callers and of the main thread alone. Code made at run time
 * whose callers are not known, as Numba's, is in a parallel region if other threads run it, too. */
static void add_script(struct script *all, struct script *in_main, const struct run *run)
{
	struct script_line *frames = memory_rows(run->nframes + 1, sizeof *frames);
	struct script_line *lines = memory_rows(run->nstacks + 1, sizeof *lines);
	double *others = memory_rows(run->nframes + 1, sizeof *others);
	int use_others = lacks_callers(run);

	EACH_ROW(stack, run->stacks, use_others ? 0 : run->nstacks)
		if (find_frame(run, stack))
			others[stack->frame] +=
				(double)stack->samples_others - (double)stack->samples_callers / 2;
	for (size_t i = 0; i < run->nframes; i++) {
		const struct run_frame *frame = &run->frames[i];

		frames[i].is_openmp = object_runs_openmp(frame->object) ||
				      (!strcmp(frame->object, "[anon]") && others[i] > 0);
		frames[i].is_main = !strncmp(frame->function, "<module> (", 10);
		frames[i].is_import = !strncmp(frame->function, "_find_and_load (", 16);
		if (!python_is_library(frame->object) && is_script(frame))
			frames[i].name = frame->function;
	}
	find_spinning(run, frames);
	EACH_ROW(stack, run->stacks, run->nstacks) {
		const struct run_stack *caller = find_parent(run, stack);
		const struct run_frame *frame = find_frame(run, stack);
		struct script_line *line = &lines[stack - run->stacks];
		double samples =
			(double)(use_others ? stack->samples_others : stack->samples_callers);

		if (caller)
			*line = lines[caller - run->stacks];
		if (frame) {
			const struct script_line *own = &frames[frame - run->frames];

			line->name = own->name ? own->name : line->name;
			line->is_main = !own->is_openmp && (own->is_main || line->is_main);
			line->is_import = own->is_import || line->is_import;
			samples = own->spins ? 0 : samples;
		}
		add_script_line(all, line, samples);
		if (line->is_main)
			add_script_line(in_main, line, samples);
	}
	free(frames);
	free(lines);
	free(others);
	add_script_calls(all, run);
	add_script_calls(in_main, run);
}

/* The length of the line's name without its number. */
static size_t name_part(const struct tally_entry *line)
{
	const char *number = strrchr(line->name, ':');

	return number ? (size_t)(number - line->name) : 0;
}

/* Returns the script's function with most samples outside BLAS, and its line with most, if most of
 * the `other` samples are in such functions, or else "". A sample has the line that was read last
 * before it, which is right on average but not for each sample, so the part in BLAS is taken from
 * the calls from each line, which are exact. Lines of one function follow each other. */
static const char *script_place(const struct script *script, double other,
				const struct report_row *row)
{
	double in_blas = isfinite(row->f_on_cpu) ? row->f_on_cpu * script->samples : 0;
	double most = 0, in_lines = 0;
	const struct tally_entry *best = NULL, *end = script->lines.entries;

	if (script->lines.count)
		end += script->lines.count;
	for (const struct tally_entry *line = script->lines.entries; line < end;) {
		const struct tally_entry *hottest = line, *first = line;
		double sum = 0, most_here = 0;

		for (; line < end && name_part(line) == name_part(first) &&
		       !strncmp(line->name, first->name, name_part(first));
		     line++) {
			double blas = script->blas_ns > 0 ? line->amounts[1] / script->blas_ns : 0;
			double outside = fmax(line->amounts[0] - in_blas * blas, 0);

			sum += outside;
			hottest = outside > most_here ? line : hottest;
			most_here = fmax(most_here, outside);
		}
		in_lines += sum;
		best = sum > most ? hottest : best;
		most = fmax(sum, most);
	}
	if (!best || !(in_lines > other / 2))
		return "";
	return script_line_place(best->name);
}

static void find_script_places(const struct report *report, struct report_row *row)
{
	struct script all = {0}, in_main = {0};
	double other = 0;

	EACH_AT(function, report, functions, row->threads)
		if (function->sum.code == RUN_CODE_OTHER || function->sum.code == RUN_CODE_KERNEL)
			other += (double)function->sum.samples -
				 (double)function->sum.samples_workers;
	EACH_RUN_AT(run, report, row->threads)
		add_script(&all, &in_main, run->run);
	tally_merge(&all.lines);
	tally_merge(&in_main.lines);
	row->script_place = script_place(&all, other, row);
	row->main_place = script_place(&in_main, 0, row);
	row->main_imports = in_main.samples > 0 ? in_main.imports / in_main.samples : 0;
	free(all.lines.entries);
	free(in_main.lines.entries);
}

int report_runs_openmp(const struct report *report, int threads)
{
	EACH_AT(function, report, functions, threads)
		if (object_runs_openmp(function->sum.location.object))
			return 1;
	return 0;
}

int report_pool_is_openmp(const struct report *report, int threads)
{
	uint64_t all = 0, in_openmp = 0;

	EACH_RUN_AT(row, report, threads) {
		char *inside = find_openmp(row->run);

		EACH_ROW(stack, row->run->stacks, row->run->nstacks) {
			const struct run_frame *frame = find_frame(row->run, stack);

			if (!frame || frame->code != RUN_CODE_BLAS)
				continue;
			all += stack->samples_others;
			in_openmp += inside[stack - row->run->stacks] ? stack->samples_others : 0;
		}
		free(inside);
	}
	return in_openmp > all / 2;
}

void build_stacks(struct report *report)
{
	const struct table *table = &report_tables[REPORT_STACKS];
	size_t merged = 1000; /* number of rows after the last merge, and a reserve */

	EACH_ROW(run, report->runs, report->nruns) {
		for (int callers = 0; run->used && callers < 2; callers++)
			fold_run(run->run, run->threads, callers, report);
		if (report->nstacks / 2 > merged) {
			table_merge_rows(table, report);
			merged = report->nstacks + 1000;
		}
	}
	EACH_ROW(row, report->rows, report->nrows)
		find_script_places(report, row);
	table_merge_rows(table, report);
	table_sort(table, report, "threads -samples stack");
	sums_share(table, report, "samples", offsetof(struct report_stack, share));
}
