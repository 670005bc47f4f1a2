/* text_bars.c: the split of time at each thread count as a bar, for people. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "write/terminal.h"
#include "write/text.h"
#include "write/text_line.h"
#include "write/text_table.h"

#define BAR_MOST  60
#define BAR_SPACE 12 /* what a line has besides the bar */

/* One character for each category. */
static const char *const fills[] = {"█", "▓", "▒", "░", "·", "-"};

_Static_assert(CAT_COUNT <= COUNT(fills), "each category has a character");

/* Each part ends where the sum of the parts up to it does, so that all bars are of one length. */
static void write_bar(const struct report *report, const struct report_row *row, FILE *out)
{
	double sum = 0, all = 0;
	int width = terminal_width() - BAR_SPACE, done = 0, fill = 0;

	width = width < BAR_MOST ? width : BAR_MOST;
	for (int category = 0; category < CAT_COUNT; category++)
		all += row->account.category_ns[category];
	fprintf(out, "%7d  ", row->threads);
	for (int category = 0; category < CAT_COUNT; category++) {
		sum += row->account.category_ns[category];
		for (; all > 0 && done < (int)lround(sum / all * width); done++)
			fputs(fills[fill], out);
		fill += text_has_category(report, category);
	}
	fputs("\n", out);
}

void text_bars(const struct report *report, FILE *out)
{
	int fill = 0;

	if (report->nrows < 2)
		return;
	fputs("\nthreads ", out);
	for (int category = 0; category < CAT_COUNT; category++)
		if (text_has_category(report, category))
			fprintf(out, " %s %s", fills[fill++], category_names[category]);
	fputs("\n", out);
	for (size_t i = 0; i < report->nrows; i++)
		write_bar(report, &report->rows[i], out);
}
