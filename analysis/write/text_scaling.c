/* text_scaling.c: the report's tables on speed-up: predictions, losses. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "write/grid.h"
#include "base/human.h"
#include "write/text.h"
#include "report/scaling.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void add_figure(struct grid *grid, double value, const struct report_range *range)
{
	char text[RANGE_TEXT_MAX];

	grid_add(grid, "%s", range_text(value, range, text));
}

/* The text shows the models that fit what was seen. */
static int is_shown(const struct model *model, const struct model_input *input)
{
	return model->applies & 1 << input->parallel && model_is_known(model, input);
}

static void write_assumptions(const struct report *report, const struct model *chosen, FILE *out)
{
	const struct scaling *scaling = &report->scaling;
	char text[1024], fit[128];
	int length;

	length = snprintf(
		text, sizeof text,
		"Speed-up over one thread: measured, and what each model predicts from f = %s%.3f "
		"(err: against measured), for %g matrix unit%s that all threads share.%s%s",
		scaling->f_estimated ? "~" : "", scaling->f, report->options.units,
		report->options.units == 1 ? "" : "s",
		scaling->has_usl ? " usl is fitted to the measured." : "",
		scaling->f_estimated
			? " ~: there is no run with one thread; f is estimated from the fastest "
			  "calls."
			: "");
	if (chosen)
		snprintf(text + length, sizeof text - (size_t)length,
			 " %s is the model for this program.", chosen->name);
	else
		snprintf(text + length, sizeof text - (size_t)length,
			 " No model is made for callers with BLAS workers.");
	text_wrap("", text, out);
	snprintf(text, sizeof text, "Shared units: %s%s.",
		 scaling_fit_text(scaling, fit, sizeof fit),
		 scaling_fit_is_doubtful(scaling)
			 ? ", but most of the loss is not in BLAS, so that it stands for other "
			   "causes too"
			 : "");
	text_wrap("", text, out);
}

static void add_prediction(struct grid *grid, const struct report_row *row, size_t model,
			   int chosen)
{
	static const struct report_range none = {NAN, NAN};
	double value = row->predicted[model];
	char text[RANGE_TEXT_MAX], error[HUMAN_MAX];

	range_text(value, chosen && row->threads > 1 ? &row->predicted_range[model] : &none, text);
	grid_add(grid, "%s%s", row->f_estimated && isfinite(value) ? "~" : "", text);
	if (!models[model].is_limit)
		grid_add(grid, "%s", human_error(value / row->speedup - 1, error));
}

int text_speedups(const struct report *report, FILE *out)
{
	struct model_input input = scaling_input(&report->scaling);
	char align[GRID_COLUMNS + 1] = "rr";
	struct grid grid = {.align = align};
	const struct model *chosen = model_chosen(&input);

	if ((report->nrows < 2 && !report->scaling.f_estimated) || !isfinite(report->scaling.f))
		return 0;
	fputs("\n", out);
	write_assumptions(report, chosen, out);
	grid_add(&grid, "threads");
	grid_add(&grid, "measured");
	for (size_t i = 0; i < MODELS; i++) {
		if (!is_shown(&models[i], &input))
			continue;
		strcat(align, models[i].is_limit ? "r" : "rr");
		grid_add(&grid, "%s", models[i].name);
		if (!models[i].is_limit)
			grid_add(&grid, "err");
	}
	for (size_t i = 0; i < report->nrows; i++) {
		const struct report_row *row = &report->rows[i];

		text_add_threads(&grid, row);
		add_figure(&grid, row->speedup, &row->speedup_range);
		for (size_t j = 0; j < MODELS; j++)
			if (is_shown(&models[j], &input))
				add_prediction(&grid, row, j, &models[j] == chosen);
	}
	return grid_print(&grid, out);
}

static void add_loss(struct grid *grid, const struct report *report, const struct report_row *row)
{
	char text[HUMAN_MAX];

	text_add_threads(grid, row);
	grid_add(grid, "%s", human_number(row->lost.ideal, text));
	grid_add(grid, "%s", human_number(row->speedup, text));
	add_figure(grid, row->lost.ideal - row->speedup, &row->speedup_range);
	for (int category = 0; category < CAT_COUNT; category++)
		if (text_has_category(report, (enum category)category))
			add_figure(grid, row->lost.lost[category], &row->lost_range[category]);
}

int text_losses(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"threads", "ideal", "measured", "lost"};
	struct grid grid = {.align = text_align(report, "rrrrrrrr")};
	size_t shown = 0;

	for (size_t i = 0; i < COUNT(headings); i++)
		grid_add(&grid, "%s", headings[i]);
	for (int category = 0; category < CAT_COUNT; category++)
		if (text_has_category(report, (enum category)category))
			grid_add(&grid, "%s", category_names[category]);
	for (size_t i = 0; i < report->nrows; i++)
		if (report->rows[i].threads > 1 && isfinite(report->rows[i].speedup)) {
			add_loss(&grid, report, &report->rows[i]);
			shown++;
		}
	if (shown)
		text_title(out, "Where the rest of the speed-up went: the parts add up to lost; "
				"less than 0 is a gain.");
	else
		grid.count = 0;
	return grid_print(&grid, out);
}

static int compare_sizes(const void *left, const void *right)
{
	const struct report_loss *a = left, *b = right;

	return (fabs(a->lost) < fabs(b->lost)) - (fabs(a->lost) > fabs(b->lost));
}

/* The thread count that losses are shown for; 0: none. */
static int losing_threads(const struct report *report)
{
	const struct report_row *focus = text_focus(report);
	int last = report->nlosses ? report->losses[report->nlosses - 1].threads : 0;

	return focus && focus->threads > 1 && isfinite(focus->speedup) ? focus->threads : last;
}

#define LOSS_SHOWN_MIN 0.005

static int write_contributors(const struct report *report, const struct report_loss *losses,
			      size_t count, FILE *out)
{
	struct grid grid = {.align = "rll"};
	size_t shown = text_limit(report, count);
	char text[HUMAN_MAX];

	fprintf(out, "\nThe largest contributors at %d threads: %zu of %zu\n", losses->threads,
		shown, count);
	grid_add(&grid, "lost");
	grid_add(&grid, "part");
	grid_add(&grid, "to");
	for (size_t i = 0; i < shown; i++) {
		grid_add(&grid, "%s", human_number(losses[i].lost, text));
		grid_add(&grid, "%s", losses[i].part);
		grid_add_text(&grid, losses[i].contributor, 72);
	}
	return grid_print(&grid, out);
}

int text_contributors(const struct report *report, FILE *out)
{
	struct report_loss *losses = calloc(report->nlosses + 1, sizeof *losses);
	int threads = losing_threads(report);
	size_t count = 0;
	int result = 0;

	if (!losses)
		return -1;
	for (size_t i = 0; i < report->nlosses; i++)
		if (report->losses[i].threads == threads &&
		    fabs(report->losses[i].lost) >= LOSS_SHOWN_MIN)
			losses[count++] = report->losses[i];
	if (count) {
		qsort(losses, count, sizeof *losses, compare_sizes);
		result = write_contributors(report, losses, count, out);
	}
	free(losses);
	return result;
}
