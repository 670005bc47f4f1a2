/* stacks.c: call stacks, and the table of them. */
/* SPDX-License-Identifier: MIT */
#include "report/stacks.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "report/sums.h"

const struct run_frame *find_frame(const struct run *run, const struct run_stack *stack)
{
	return stack && stack->frame >= 0 && (size_t)stack->frame < run->nframes
		       ? &run->frames[stack->frame]
		       : NULL;
}

const char *frame_name(const struct run *run, const struct run_stack *stack)
{
	const struct run_frame *frame = find_frame(run, stack);

	return frame && frame->function ? frame->function : "[unknown]";
}

const struct run_stack *find_parent(const struct run *run, const struct run_stack *stack)
{
	int64_t at = stack - run->stacks;

	return stack->parent >= 0 && stack->parent < at ? &run->stacks[stack->parent] : NULL;
}

char *find_openmp(const struct run *run)
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

int is_script(const struct run_frame *frame)
{
	char file[280];

	snprintf(file, sizeof file, " (%.270s:", object_name(frame->object));
	return strstr(frame->function, file) != NULL;
}

const char *script_line_place(const char *line)
{
	const char *file = strstr(line, " (");
	char place[CAUSE_PLACE_MAX];

	/* without the last bracket; the file's name may have some, too */
	snprintf(place, sizeof place, "%.*s %.*s%s", (int)strlen(file + 2) - 1, file + 2,
		 (int)(file - line), line, *line == '<' ? "" : "()");
	return string_pooled(place);
}

int lacks_callers(const struct run *run)
{
	EACH_ROW(stack, run->stacks, run->nstacks)
		if (stack->samples_callers)
			return 0;
	return 1;
}

/* The names of the stack's frames, outermost first; semicolons and newlines in names become colons.
 */
static const char *fold_stack(const struct run *run, const struct run_stack *leaf)
{
	FREED char *text = NULL;
	size_t length = 0;
	char *end;

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
	return string_pooled(text);
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
	table_merge_rows(table, report);
	table_sort(table, report, "threads -samples stack");
	sums_share(table, report, "samples", offsetof(struct report_stack, share));
}

int report_pool_is_openmp(const struct report *report, int threads)
{
	uint64_t all = 0, in_openmp = 0;

	EACH_RUN_AT(row, report, threads) {
		FREED char *inside = find_openmp(row->run);

		EACH_ROW(stack, row->run->stacks, row->run->nstacks) {
			const struct run_frame *frame = find_frame(row->run, stack);

			if (!frame || frame->code != RUN_CODE_BLAS)
				continue;
			all += stack->samples_others;
			in_openmp += inside[stack - row->run->stacks] ? stack->samples_others : 0;
		}
	}
	return in_openmp > all / 2;
}
