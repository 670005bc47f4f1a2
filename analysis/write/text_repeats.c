/* text_repeats.c: the report's tables on repeated runs: figures with their intervals. */
/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "write/grid.h"
#include "base/human.h"
#include "write/text.h"

static int has_range(const struct report_range *range)
{
	return isfinite(range->low) && isfinite(range->high);
}

static double half_of(const struct report_range *range)
{
	return (range->high - range->low) / 2;
}

const char *range_text(double value, const struct report_range *range, char text[RANGE_TEXT_MAX])
{
	char number[HUMAN_MAX], half[HUMAN_MAX];

	human_number(value, number);
	if (has_range(range))
		snprintf(text, RANGE_TEXT_MAX, "%s ± %s", number,
			 human_number(half_of(range), half));
	else
		snprintf(text, RANGE_TEXT_MAX, "%s", number);
	return text;
}

/* The same with three decimals. */
static void add_share(struct grid *grid, double value, const struct report_range *range)
{
	if (!isfinite(value))
		grid_add(grid, "-");
	else if (has_range(range))
		grid_add(grid, "%.3f ± %.3f", value, half_of(range));
	else
		grid_add(grid, "%.3f", value);
}

/* The same in units or in percent, as `human` writes it. */
static void add_human(struct grid *grid, const char *(*human)(double value, char text[HUMAN_MAX]),
		      double value, const struct report_range *range, double divisor)
{
	char number[HUMAN_MAX], half[HUMAN_MAX];

	human(value / divisor, number);
	if (has_range(range))
		grid_add(grid, "%s ± %s", number, human(half_of(range) / divisor, half));
	else
		grid_add(grid, "%s", number);
}

static int write_rates(const struct report *report, FILE *out)
{
	char align[] = "rrrrrr", text[RANGE_TEXT_MAX];
	struct grid grid = {.align = align};

	grid_add(&grid, "threads");
	grid_add(&grid, "runs");
	grid_add(&grid, "f int");
	grid_add(&grid, "f smp");
	text_add_rate_heading(&grid, report);
	grid_add(&grid, "speed-up");
	for (size_t i = 0; i < report->nrows; i++) {
		const struct report_row *row = &report->rows[i];

		text_add_threads(&grid, row);
		grid_add(&grid, "%d", row->runs);
		add_share(&grid, row->account.f_intercepted, &row->f_intercepted_range);
		add_share(&grid, row->account.f_sampled, &row->f_sampled_range);
		add_human(&grid, human_count, row->throughput, &row->throughput_range, 1);
		grid_add(&grid, "%s", range_text(row->speedup, &row->speedup_range, text));
	}
	return grid_print(&grid, out);
}

static int write_shares(const struct report *report, FILE *out)
{
	struct grid grid = {.align = text_align(report, "rrrrrr")};

	fputs("\nLikewise, of one run, the parts in %:\n", out);
	grid_add(&grid, "threads");
	grid_add(&grid, "wall");
	for (int category = 0; category < CAT_COUNT; category++)
		if (text_has_category(report, (enum category)category))
			grid_add(&grid, "%s", category_names[category]);
	for (size_t i = 0; i < report->nrows; i++) {
		const struct report_row *row = &report->rows[i];
		const struct account *account = &row->account;
		double all_ns = account->threads * account->wall_ns;

		text_add_threads(&grid, row);
		add_human(&grid, human_time, account->wall_ns, &row->wall_range, row->runs);
		for (int category = 0; category < CAT_COUNT; category++)
			if (text_has_category(report, (enum category)category))
				add_human(&grid, human_share,
					  account->category_ns[category] / all_ns,
					  &row->share_range[category], 1);
	}
	return grid_print(&grid, out);
}

int text_repeats(const struct report *report, FILE *out)
{
	size_t shown = 0;

	for (size_t i = 0; i < report->nrows; i++)
		shown += has_range(&report->rows[i].throughput_range);
	if (!shown)
		return 0;
	fputs("\n", out);
	text_wrap("",
		  "Repeated runs. ±: half the width of the 95 % interval; 95 of 100 such intervals "
		  "hold the true value.",
		  out);
	return write_rates(report, out) || write_shares(report, out) ? -1 : 0;
}
