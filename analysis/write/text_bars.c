/* text_bars.c: the split of time at each thread count as a bar, for people. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "write/terminal.h"
#include "write/text.h"

#define BAR_MOST  60
#define BAR_SPACE 12 /* what a line has besides the bar */

/* What a category looks like; all take one character's place. */
static const char *const looks[] = {"█", "▓", "▒", "░", "·", "-"};

static int bar_width(void)
{
	int room = terminal_width() - BAR_SPACE;

	return room < BAR_MOST ? room : BAR_MOST;
}

/* Each part ends where the sum of the parts up to it does, so that all bars are of one length. */
static void write_bar(const struct report *report, const struct report_row *row, FILE *out)
{
	double sum = 0, all = 0;
	int width = bar_width(), done = 0, look = 0;

	for (int category = 0; category < CAT_COUNT; category++)
		all += row->account.category_ns[category];
	fprintf(out, "%7d  ", row->threads);
	for (int category = 0; category < CAT_COUNT; category++) {
		sum += row->account.category_ns[category];
		for (; all > 0 && done < (int)lround(sum / all * width); done++)
			fputs(looks[look], out);
		look += text_has_category(report, (enum category)category);
	}
	fputs("\n", out);
}

static void write_legend(const struct report *report, FILE *out)
{
	int look = 0;

	fputs("\nthreads ", out);
	for (int category = 0; category < CAT_COUNT; category++)
		if (text_has_category(report, (enum category)category))
			fprintf(out, " %s %s", looks[look++], category_names[category]);
	fputs("\n", out);
}

_Static_assert(CAT_COUNT <= sizeof looks / sizeof *looks, "each category has a look");

int text_bars(const struct report *report, FILE *out)
{
	if (report->nrows < 2)
		return 0;
	write_legend(report, out);
	for (size_t i = 0; i < report->nrows; i++)
		write_bar(report, &report->rows[i], out);
	return 0;
}
