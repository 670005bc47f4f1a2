/* text_callers.c: for people: who calls BLAS. */
/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "write/grid.h"
#include "base/human.h"
#include "write/text.h"

/* What follows the last slash, if anything does. */
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void add_caller(struct grid *grid, const struct report_caller *caller)
{
	char text[HUMAN_MAX], line[256];

	grid_add(grid, "%s", human_share(caller->share, text));
	grid_add(grid, "%s", human_time(caller->total_ns, text));
	grid_add(grid, "%s", human_count(caller->calls, text));
	grid_add_text(grid, caller->routine, 16);
	grid_add_text(grid, caller->function, 24);
	grid_add_text(grid, *caller->inlined_into ? caller->inlined_into : "-", 20);
	snprintf(line, sizeof line, caller->line ? "%.200s:%d" : "%.200s",
		 base_name(*caller->file ? caller->file : caller->object), caller->line);
	grid_add_text(grid, line, 20);
}

int text_callers(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"share",	 "total",	 "calls", "routine",
					       "caller", "inlined into", "at"};
	const struct report_row *focus = text_focus(report);
	struct grid grid = {.align = "rrrllll"};
	size_t count = 0, shown = 0;

	for (size_t i = 0; i < report->ncallers && focus; i++)
		count += report->callers[i].threads == focus->threads;
	if (!count)
		return 0;
	text_title(out,
		   "Who calls BLAS at %d thread%s: %zu of %zu, by total time inside (share: %% of "
		   "it)",
		   focus->threads, focus->threads == 1 ? "" : "s", text_limit(report, count),
		   count);
	for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
		grid_add(&grid, "%s", headings[i]);
	for (size_t i = 0; i < report->ncallers && shown < text_limit(report, count); i++)
		if (report->callers[i].threads == focus->threads) {
			add_caller(&grid, &report->callers[i]);
			shown++;
		}
	return grid_print(&grid, out);
}
