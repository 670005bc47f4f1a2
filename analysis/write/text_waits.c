/* text_waits.c: the section on what threads waited for. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "write/grid.h"
#include "base/human.h"
#include "write/text.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Of those that are shown. */
static int is_shown(const struct report_wait *wait, const struct report_row *focus)
{
	return focus && wait->threads == focus->threads && wait->is_caller;
}

static int has_regions(const struct report *report, const struct report_row *focus)
{
	for (size_t i = 0; i < report->nwaits; i++)
		if (is_shown(&report->waits[i], focus) && *report->waits[i].region)
			return 1;
	return 0;
}

static void add_wait(struct grid *grid, const struct report_wait *wait, int regions)
{
	char text[HUMAN_MAX], kind[32];

	snprintf(kind, sizeof kind, "%s%s", wait->kind, wait->in_blas ? " (BLAS)" : "");
	grid_add(grid, "%s", human_share(wait->share, text));
	grid_add(grid, "%s", human_time(wait->total_ns, text));
	grid_add(grid, "%s", human_count(wait->waits, text));
	grid_add(grid, "%s", human_time(wait->longest_ns, text));
	grid_add(grid, "%s",
		 human_time(strcmp(wait->kind, "barrier") ? NAN : wait->uneven_ns, text));
	grid_add_text(grid, kind, 17);
	grid_add_text(grid, *wait->function ? wait->function : "-", 24);
	grid_add_text(grid, *wait->caller ? wait->caller : "-", 20);
	if (regions)
		grid_add_text(grid, *wait->region ? wait->region : "-", 12);
}

int text_waits(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"share",	  "total",     "waits",
					       "longest", "uneven",    "waits on",
					       "in",	  "called by", "region"};
	const struct report_row *focus = text_focus(report);
	struct grid grid = {.align = "rrrrrlll"};
	size_t count = 0, shown = 0, limit;
	int regions = has_regions(report, focus);

	for (size_t i = 0; i < report->nwaits; i++)
		count += (size_t)is_shown(&report->waits[i], focus);
	if (!count)
		return 0;
	limit = text_limit(report, count);
	fprintf(out, "\nWhat the callers waited on at %d thread%s: %zu of %zu\n", focus->threads,
		focus->threads == 1 ? "" : "s", limit, count);
	text_wrap("",
		  "share: % of the callers' time; uneven: how much longer one thread waited at the "
		  "barrier than another; run queue: ready, without a CPU; (BLAS): inside a call.",
		  out);
	if (regions)
		grid.align = "rrrrrllll";
	for (size_t i = 0; i < COUNT(headings) - !regions; i++)
		grid_add(&grid, "%s", headings[i]);
	for (size_t i = 0; i < report->nwaits && shown < limit; i++)
		if (is_shown(&report->waits[i], focus)) {
			add_wait(&grid, &report->waits[i], regions);
			shown++;
		}
	return grid_print(&grid, out);
}
