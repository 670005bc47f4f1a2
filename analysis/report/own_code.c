/* own_code.c: which functions of the program itself lead to what samples show. */
/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/stacks.h"
#include "base/array.h"
#include "base/memory.h"

/* 1 for code of the program itself, not of a library, an interpreter or the kernel. */
static int is_own(const struct run_frame *frame)
{
	return frame->code == RUN_CODE_OTHER && *frame->object == '/' &&
	       object_owner(frame->object) == OWNER_PROGRAM && !python_is_library(frame->object);
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

static double stack_samples(const struct run_stack *stack)
{
	return (double)(stack->samples_callers + stack->samples_others);
}

/* Adds the samples of the stack to the innermost function of the program's own that tells where it
 * is and is not excluded (NULL: none is); if there is none, and `any` is 1, to the innermost that
 * is not excluded. If that, or the end of the stack, has no symbol, they are added to the innermost
 * function of a library that tells something. Returns 0 if nothing tells. */
static int add_to_own(const struct run *run, const struct run_stack *stack, const char *excluded,
		      int any, double *sums)
{
	double samples = stack_samples(stack);
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

/* Adds the samples outside the parallel regions of OpenMP to functions that do not run in these. */
static void add_outside_openmp(const struct run *run, char *excluded, double *sums)
{
	FREED char *inside = find_openmp(run);

	EACH_ROW(stack, run->stacks, run->nstacks)
		if (find_frame(run, stack))
			excluded[stack->frame] |= inside[stack - run->stacks];
	EACH_ROW(stack, run->stacks, run->nstacks)
		if (stack->whole && !inside[stack - run->stacks])
			add_to_own(run, stack, excluded, 1, sums);
}

/* Returns the function of the frame with the largest sum; "" if all are 0 or if that is a library's
 * and less than `least`. */
static const char *find_largest(const struct run *run, const double *sums, double least)
{
	const struct run_frame *largest = NULL;
	double most = 0;

	for (size_t i = 0; i < run->nframes; i++)
		if (sums[i] > most) {
			most = sums[i];
			largest = &run->frames[i];
		}
	if (!largest || (most < least && !is_own(largest)))
		return "";
	return is_script(largest) ? script_line_place(largest->function) : largest->function;
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
		double samples = stack_samples(stack);

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
	FREED double *sums = memory_rows(run->nframes + 1, sizeof *sums);

	EACH_ROW(stack, run->stacks, run->nstacks)
		if (!strcmp(stack_category(run, stack, categories), category))
			add_to_own(run, stack, NULL, 1, sums);
	return find_largest(run, sums, 0);
}

const char *build_caller(const struct run *run, const char *object, const char *function)
{
	FREED double *sums = memory_rows(run->nframes + 1, sizeof *sums);

	EACH_ROW(leaf, run->stacks, run->nstacks) {
		const struct run_stack *stack = leaf;
		const struct run_frame *frame;
		int is_it = 0;

		for (; stack && !is_it; stack = find_parent(run, stack)) {
			frame = find_frame(run, stack);
			is_it = frame && !strcmp(frame->object, object) &&
				(!function || !strcmp(frame_name(run, stack), function));
			if (frame && !is_it && is_own(frame))
				break;
		}
		if (is_it)
			add_to_own(run, leaf, NULL, 1, sums);
	}
	return find_largest(run, sums, 0);
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
	FREED double *sums = memory_rows(run->nframes + 1, sizeof *sums);
	FREED char *excluded = memory_rows(run->nframes + 1, 1);
	double most = 0, blas = 0, all = 0;
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
	if (!outside && all * ALONE_ONE_IN < (double)computing)
		return "";
	own = find_largest(run, sums, most);
	return *own ? own : blas > all / 2 ? NULL : name;
}

int build_is_inside(const struct run *run, const char *outer, const struct code_location *location)
{
	double inside = 0, all = 0;

	EACH_ROW(leaf, run->stacks, run->nstacks) {
		const struct run_stack *stack = leaf;
		const struct run_frame *frame = find_frame(run, leaf);

		if (!frame || strcmp(frame->object, location->object) != 0 ||
		    strcmp(frame_name(run, leaf), location->function) != 0)
			continue;
		while (stack && strcmp(frame_name(run, stack), outer) != 0)
			stack = find_parent(run, stack);
		all += stack_samples(leaf);
		inside += stack ? stack_samples(leaf) : 0;
	}
	return inside >= all / 2;
}

const char *build_outside(const struct run *run)
{
	FREED struct {
		uint64_t all, itself;
	} *sums = memory_rows(run->nframes + 1, sizeof *sums);
	const char *name = "";
	uint64_t outside = 0;
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
		outside += samples;
		if (!frame)
			continue;
		sums[stack->frame].all += samples;
		sums[stack->frame].itself += stack == leaf ? samples : 0;
	}
	for (size_t i = 0; i < run->nframes; i++)
		if (sums[i].all > outside / 2 && sums[i].itself < sums[i].all / 2 &&
		    name_tells(run->frames[i].function))
			name = run->frames[i].function;
	return name;
}
