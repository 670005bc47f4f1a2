/* text_stacks.c: the section on the call stacks that have most samples. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "write/grid.h"
#include "base/human.h"
#include "write/text.h"

enum { PATH_WIDTH = 84 };

/* "leaf < its caller < ...": as many whole names as fit, for the innermost tell most. Returns
 * text[]. */
static const char *innermost(const char *stack, char text[PATH_WIDTH + 1])
{
	const char *end = stack + strlen(stack);
	size_t length = 0;

	while (end > stack) {
		const char *start = end;
		size_t bytes;

		while (start > stack && start[-1] != ';')
			start--;
		bytes = (size_t)(end - start);
		if (length && length + bytes + (start > stack ? 9 : 3) > PATH_WIDTH) {
			snprintf(text + length, PATH_WIDTH + 1 - length, " < ...");
			break;
		}
		snprintf(text + length, PATH_WIDTH + 1 - length, "%s%.*s", length ? " < " : "",
			 (int)bytes, start);
		length = strlen(text);
		end = start > stack ? start - 1 : stack;
	}
	return text;
}

static void write_cut(const struct report *report, int threads, FILE *out)
{
	double sum = 0, cut = 0;
	char text[256], share[HUMAN_MAX];

	for (size_t i = 0; i < report->nstacks; i++)
		if (report->stacks[i].threads == threads) {
			sum += report->stacks[i].samples;
			cut += report->stacks[i].whole ? 0 : report->stacks[i].samples;
		}
	snprintf(text, sizeof text,
		 "Innermost function first, its callers after <. %s %% of the stacks came out cut, "
		 "and end before their thread's start%s.",
		 human_share(cut / sum, share),
		 cut > sum / 10 ? ": code without frame pointers takes --call-graph=dwarf" : "");
	text_wrap("", text, out);
}

int text_stacks(const struct report *report, FILE *out)
{
	const struct report_row *focus = text_focus(report);
	struct grid grid = {.align = "rrl"};
	char text[HUMAN_MAX], path[PATH_WIDTH + 1];
	size_t count = 0, shown = 0, limit;

	for (size_t i = 0; i < report->nstacks && focus; i++)
		count += report->stacks[i].threads == focus->threads;
	if (!count)
		return 0;
	limit = text_limit(report, count);
	fprintf(out, "\nCall stacks with most samples at %d thread%s: %zu of %zu\n", focus->threads,
		focus->threads == 1 ? "" : "s", limit, count);
	write_cut(report, focus->threads, out);
	grid_add(&grid, "share");
	grid_add(&grid, "samples");
	grid_add(&grid, "stack");
	for (size_t i = 0; i < report->nstacks && shown < limit; i++) {
		if (report->stacks[i].threads != focus->threads)
			continue;
		grid_add(&grid, "%s", human_share(report->stacks[i].share, text));
		grid_add(&grid, "%s", human_count(report->stacks[i].samples, text));
		grid_add_text(&grid, innermost(report->stacks[i].stack, path), PATH_WIDTH);
		shown++;
	}
	return grid_print(&grid, out);
}
