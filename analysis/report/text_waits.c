/* text_waits.c: the section on what threads waited for. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/grid.h"
#include "report/human.h"
#include "report/text.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void add_wait(struct grid *grid, const struct report_wait *wait)
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
}

int text_waits(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"share",	 "total",    "waits", "longest",
					       "uneven", "waits on", "in",    "called by"};
	const struct report_row *focus = text_focus(report);
	struct grid grid = {.align = "rrrrrlll"};
	size_t count = 0, shown = 0, limit;

	for (size_t i = 0; i < report->nwaits && focus; i++)
		count += report->waits[i].threads == focus->threads && report->waits[i].is_caller;
	if (!count)
		return 0;
	limit = text_limit(report, count);
	fprintf(out, "\nWhat the callers waited on at %d thread%s: %zu of %zu\n", focus->threads,
		focus->threads == 1 ? "" : "s", limit, count);
	text_wrap("",
		  "share: % of the callers' time; uneven: how much longer one thread waited at the "
		  "barrier than another; run queue: ready, without a CPU; (BLAS): inside a call.",
		  out);
	for (size_t i = 0; i < COUNT(headings); i++)
		grid_add(&grid, "%s", headings[i]);
	for (size_t i = 0; i < report->nwaits && shown < limit; i++)
		if (report->waits[i].threads == focus->threads && report->waits[i].is_caller) {
			add_wait(&grid, &report->waits[i]);
			shown++;
		}
	return grid_print(&grid, out);
}
