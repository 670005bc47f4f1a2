/* stacks.c: the call stacks of samples, each as one text, merged over the runs. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "base/array.h"

/* A stack of a run, its frames as one text. */
struct folded {
	int threads, is_caller, whole;
	char *text; /* "main;step;cblas_sgemm" */
	double samples;
};
struct foldeds {
	struct folded *rows;
	size_t count;
};

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

/* The stack's frames, outermost first, as one fresh text. What would part frames or fields goes. */
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

static int add_stack(struct foldeds *all, const struct run *run, const struct run_stack *stack,
		     int threads, int is_caller)
{
	uint64_t samples = is_caller ? stack->samples_callers : stack->samples_others;
	struct folded *row;

	if (!samples)
		return 0;
	row = array_add(&all->rows, &all->count, sizeof *row);
	if (!row)
		return -1;
	row->threads = threads;
	row->is_caller = is_caller;
	row->whole = stack->whole != 0;
	row->samples = (double)samples;
	row->text = fold(run, stack);
	return row->text ? 0 : -1;
}

static int compare_folded(const void *left, const void *right)
{
	const struct folded *a = left, *b = right;
	int result = order_numbers(a->threads, b->threads);

	result = result ? result : order_numbers(b->is_caller, a->is_caller);
	result = result ? result : order_numbers(a->whole, b->whole);
	return result ? result : strcmp(a->text, b->text);
}

static int fold_runs(const struct run *runs, const struct report *report, struct foldeds *all)
{
	for (size_t run = 0; run < report->nruns; run++)
		for (size_t i = 0; report->runs[run].used && i < runs[run].nstacks; i++)
			for (int is_caller = 0; is_caller < 2; is_caller++)
				if (add_stack(all, &runs[run], &runs[run].stacks[i],
					      report->runs[run].threads, is_caller))
					return -1;
	if (all->count)
		qsort(all->rows, all->count, sizeof *all->rows, compare_folded);
	return 0;
}

/* Makes one row of the stacks from `first` on that are alike; returns where they end, 0 when memory
 * is out. The row takes the text over. */
static size_t merge_stack(struct foldeds *all, size_t first, struct report *report)
{
	struct folded *found = &all->rows[first];
	struct report_stack *row = array_add(&report->stacks, &report->nstacks, sizeof *row);
	size_t i = first;

	if (!row)
		return 0;
	row->threads = found->threads;
	row->role = found->is_caller ? "caller" : "other";
	row->whole = found->whole;
	while (i < all->count && !compare_folded(found, &all->rows[i]))
		row->samples += all->rows[i++].samples;
	row->stack = strdup(found->text);
	return row->stack ? i : 0;
}

static int compare_stacks(const void *left, const void *right)
{
	const struct report_stack *a = left, *b = right;

	if (a->threads != b->threads)
		return order_numbers(a->threads, b->threads);
	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return strcmp(a->stack, b->stack);
}

/* Each stack's share of those of its thread count. */
static void set_shares(struct report *report)
{
	for (size_t first = 0, next; first < report->nstacks; first = next) {
		double sum = 0;

		for (next = first; next < report->nstacks &&
				   report->stacks[next].threads == report->stacks[first].threads;
		     next++)
			sum += report->stacks[next].samples;
		for (size_t i = first; i < next; i++)
			report->stacks[i].share = report->stacks[i].samples / sum;
	}
}

int build_stacks(const struct run *runs, struct report *report)
{
	struct foldeds all = {0};
	int result = fold_runs(runs, report, &all);

	for (size_t i = 0; i < all.count && !result;) {
		i = merge_stack(&all, i, report);
		result = i ? 0 : -1;
	}
	for (size_t i = 0; i < all.count; i++)
		free(all.rows[i].text);
	free(all.rows);
	if (report->nstacks)
		qsort(report->stacks, report->nstacks, sizeof *report->stacks, compare_stacks);
	set_shares(report);
	return result;
}
