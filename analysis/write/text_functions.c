/* text_functions.c: other code by category and by function, for people. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "write/grid.h"
#include "base/human.h"
#include "write/text.h"

#define COUNT(array)  (sizeof(array) / sizeof(array)[0])
#define INLINED_SHOWN 3	   /* of a function, at most */
#define INLINED_SHARE 0.02 /* of all samples, at least */

/* A function as the linker knows it: its own row and those that were inlined into it lie together
 * in the list that it is part of. */
struct group {
	const struct report_function **rows;
	size_t count;
	double samples, share;
};

int text_categories(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"share", "of other", "samples", "category",
					       "most of it in"};
	const struct report_row *focus = text_focus(report);
	struct grid grid = {.align = "rrrll"};
	char text[HUMAN_MAX];

	for (size_t i = 0; i < COUNT(headings); i++)
		grid_add(&grid, "%s", headings[i]);
	for (size_t i = 0; i < report->ncategories && focus; i++) {
		const struct report_category *row = &report->categories[i];

		if (row->threads != focus->threads)
			continue;
		grid_add(&grid, "%s", human_share(row->share, text));
		grid_add(&grid, "%s", human_share(row->share_other, text));
		grid_add(&grid, "%s", human_count(row->samples, text));
		grid_add_text(&grid, row->category, 26);
		grid_add_text(&grid, row->hottest, 46);
	}
	if (grid.count == COUNT(headings))
		grid.count = 0;
	if (grid.count)
		text_title(out,
			   "Other code by category at %d thread%s (share: %% of all samples; of "
			   "other: %% of those outside BLAS)",
			   focus->threads, focus->threads == 1 ? "" : "s");
	return grid_print(&grid, out);
}

/* By the function that the linker knows; the most samples first. */
static int compare_rows(const void *left, const void *right)
{
	const struct report_function *a = *(const struct report_function *const *)left;
	const struct report_function *b = *(const struct report_function *const *)right;
	int order = strcmp(a->object, b->object);

	order = order ? order : strcmp(outer_function(a), outer_function(b));
	return order ? order : (a->samples < b->samples) - (a->samples > b->samples);
}

static int compare_groups(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return strcmp(outer_function(*a->rows), outer_function(*b->rows));
}

static int is_same(const struct report_function *a, const struct report_function *b)
{
	return !strcmp(a->object, b->object) && !strcmp(outer_function(a), outer_function(b));
}

static size_t list_rows(const struct report *report, int threads,
			const struct report_function **rows)
{
	size_t count = 0;

	for (size_t i = 0; i < report->nfunctions; i++)
		if (report->functions[i].threads == threads &&
		    !function_is_blas(&report->functions[i]))
			rows[count++] = &report->functions[i];
	qsort(rows, count, sizeof *rows, compare_rows);
	return count;
}

static size_t make_groups(const struct report_function **rows, size_t nrows, struct group *groups)
{
	size_t count = 0;

	for (size_t i = 0; i < nrows; i++) {
		if (!i || !is_same(rows[i - 1], rows[i]))
			groups[count++] = (struct group){.rows = rows + i};
		groups[count - 1].count++;
		groups[count - 1].samples += rows[i]->samples;
		groups[count - 1].share += rows[i]->share;
	}
	qsort(groups, count, sizeof *groups, compare_groups);
	return count;
}

/* The row whose source line and category stand for the group: that of the function itself, else
 * the one with most samples. */
static const struct report_function *group_row(const struct group *group)
{
	for (size_t i = 0; i < group->count; i++)
		if (!*group->rows[i]->inlined_into)
			return group->rows[i];
	return group->rows[0];
}

static void add_line(struct grid *grid, const struct report_function *function)
{
	char text[512] = "";

	if (function->line > 0 && *function->file)
		snprintf(text, sizeof text, "%.255s:%d", object_name(function->file),
			 function->line);
	grid_add_text(grid, text, 21);
}

static void add_group(struct grid *grid, const struct group *group)
{
	const struct report_function *own = group_row(group);
	char text[HUMAN_MAX];

	grid_add(grid, "%s", human_share(group->share, text));
	grid_add(grid, "%s", human_count(group->samples, text));
	grid_add_text(grid, outer_function(own), 29);
	grid_add_text(grid, object_name(own->object), 14);
	grid_add_text(grid, own->category, 14);
	add_line(grid, own);
}

static void add_inlined(struct grid *grid, const struct report_function *function)
{
	char text[HUMAN_MAX], name[160];

	grid_add(grid, "%s", human_share(function->share, text));
	grid_add(grid, "%s", human_count(function->samples, text));
	snprintf(name, sizeof name, "  inlined: %.140s", function->function);
	grid_add_text(grid, name, 29);
	grid_add(grid, "%s", "");
	grid_add_text(grid, function->category, 14);
	add_line(grid, function);
}

static void add_groups(struct grid *grid, const struct group *groups, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t shown = 0;

		add_group(grid, &groups[i]);
		for (size_t j = 0; j < groups[i].count && shown < INLINED_SHOWN; j++) {
			const struct report_function *row = groups[i].rows[j];

			if (!*row->inlined_into || row->share < INLINED_SHARE)
				continue;
			add_inlined(grid, row);
			shown++;
		}
	}
}

static int print_groups(const struct report *report, const struct group *groups, size_t count,
			int threads, FILE *out)
{
	static const char *const headings[] = {"share",	 "samples",  "function",
					       "object", "category", "hottest line"};
	struct grid grid = {.align = "rrllll"};
	char text[256];

	if (!count)
		return 0;
	snprintf(text, sizeof text,
		 "Functions outside BLAS at %d thread%s: %zu of %zu, by share of all samples (%%); "
		 "inlined: part of the one above",
		 threads, threads == 1 ? "" : "s", text_limit(report, count), count);
	fputs("\n", out);
	text_wrap("", text, out);
	for (size_t i = 0; i < COUNT(headings); i++)
		grid_add(&grid, "%s", headings[i]);
	add_groups(&grid, groups, text_limit(report, count));
	return grid_print(&grid, out);
}

int text_functions(const struct report *report, FILE *out)
{
	const struct report_row *focus = text_focus(report);
	const struct report_function **rows = calloc(report->nfunctions + 1, sizeof *rows);
	struct group *groups = calloc(report->nfunctions + 1, sizeof *groups);
	int failed = rows && groups ? 0 : -1;

	if (!failed && focus) {
		size_t nrows = list_rows(report, focus->threads, rows);
		size_t count = make_groups(rows, nrows, groups);

		failed = print_groups(report, groups, count, focus->threads, out);
	}
	free(rows);
	free(groups);
	return failed;
}
