/* text_verdict.c: the one sentence that says why the program does not scale. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ranges.h"
#include "report/build.h"
#include "report/scaling.h"
#include "write/terminal.h"
#include "write/text.h"
#include "write/text_line.h"
#include "write/text_table.h"

/* A loss of less is none. */
#define LOSS_MIN 0.05

struct sentence {
	char text[REPORT_VERDICT_MAX]; /* %.2f of any double */
};

static void say(struct sentence *sentence, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void say(struct sentence *sentence, const char *fmt, ...)
{
	size_t length = strlen(sentence->text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(sentence->text + length, sizeof sentence->text - length, fmt, args);
	va_end(args);
}

/* The part that lost the most, or with sign -1 the one that gained the most. */
static int largest_part(const struct report_row *row, int sign)
{
	int largest = 0;

	for (int category = 1; category < CAT_COUNT; category++)
		if (sign * row->lost.lost[category] > sign * row->lost.lost[largest])
			largest = category;
	return largest;
}

static const char *loser(const struct report *report, const struct report_row *row, int category)
{
	return category == CAT_BLAS && scaling_queues(report, row->threads)
		       ? "BLAS calls that queue"
		       : time_categories[category].lost;
}

static void say_loss(struct sentence *sentence, const struct report *report,
		     const struct report_row *row)
{
	int category = largest_part(row, 1);
	double lost = row->lost.ideal - row->speedup;
	char fit[128], part[RANGE_TEXT_MAX];

	range_text(AS_NUMBER, row->lost.lost[category], row->lost_range[category].low,
		   row->lost_range[category].high, part);
	if (row->lost.lost[category] > 1.05 * lost) /* others gained */
		say(sentence, "; %s lost to %s, of which other parts won back %.2f", part,
		    loser(report, row, category), row->lost.lost[category] - lost);
	else
		say(sentence, "; %s lost to %s", part, loser(report, row, category));
	if (category == CAT_BLAS && report->scaling.has_fit &&
	    report->scaling.fit.result == UNITS_FITTED && scaling_queues(report, row->threads))
		say(sentence, " (%s)", scaling_fit_text(&report->scaling, fit, sizeof fit));
}

static void say_speedup(struct sentence *sentence, const struct report *report,
			const struct report_row *row)
{
	double lost = (row->lost.ideal - row->speedup) / row->lost.ideal;
	char text[RANGE_TEXT_MAX];

	say(sentence, "%d threads give %s of %.2f", row->threads,
	    range_text(AS_NUMBER, row->speedup, row->speedup_range.low, row->speedup_range.high,
		       text),
	    row->lost.ideal);
	if (lost > LOSS_MIN)
		say_loss(sentence, report, row);
	else if (lost < -LOSS_MIN)
		say(sentence, ", more than so many threads can give by themselves: %s",
		    time_categories[largest_part(row, -1)].gained);
	else
		say(sentence, ": next to nothing is lost");
}

/* Only one thread: what the prediction says of more. */
static void say_prospect(struct sentence *sentence, const struct report *report,
			 const struct report_row *row)
{
	struct model_input input = scaling_input(&report->scaling);
	const struct model *chosen = model_chosen(&input);
	int threads = report->cpus_available > 2 ? report->cpus_available : 2;
	struct interval predicted;

	say(sentence, "1 thread: %.0f %% of the work is in BLAS", 100 * row->account.f_intercepted);
	if (!chosen || threads > RANGES_VALUE_MAX) /* a damaged store may have any number */
		return;
	predicted = model_solve(chosen, &input, threads, report->options.units);
	if (isfinite(predicted.value))
		say(sentence,
		    "; %d threads would give about %.2f of %d if they shared %g matrix unit%s "
		    "(%s)",
		    threads, predicted.value, threads, report->options.units,
		    report->options.units == 1 ? "" : "s", chosen->name);
}

/* No run with one thread: what the estimate says, which is no measurement. */
static void say_estimate(struct sentence *sentence, const struct report *report,
			 const struct report_row *row)
{
	const struct scaling *scaling = &report->scaling;
	double speedup = row->throughput / scaling->base.throughput;

	say(sentence, "%d threads: %.0f %% of the work is in BLAS", row->threads,
	    100 * row->account.f_intercepted);
	if (scaling->f_estimated && isfinite(speedup))
		say(sentence,
		    "; they give about %.2f of %d, an estimate from their fastest calls, for want "
		    "of a run with 1 thread",
		    speedup, row->threads);
	else
		say(sentence, "; the speed-up needs a run with 1 thread");
}

static void say_row(struct sentence *sentence, const struct report *report,
		    const struct report_row *row)
{
	if (row->threads > 1 && isfinite(row->speedup))
		say_speedup(sentence, report, row);
	else if (row->threads > 1)
		say_estimate(sentence, report, row);
	else if (report->nrows > 1 && isfinite(report->rows[report->nrows - 1].speedup))
		say_speedup(sentence, report, &report->rows[report->nrows - 1]);
	else
		say_prospect(sentence, report, row);
}

/* No thread count has figures: why. */
static void say_nothing(struct sentence *sentence, const struct report *report)
{
	const struct report_run *newest = &report->runs[report->nruns - 1];

	if (newest->calls > 0 && newest->roi_ns <= 0)
		say(sentence, "no figures: the region of interest has no length");
	else
		say(sentence, "no figures: no BLAS call in the region of interest");
}

const char *report_verdict(const struct report *report, char text[REPORT_VERDICT_MAX])
{
	const struct report_row *row = text_focus(report);
	struct sentence sentence = {""};

	if (*report->what_if)
		say(&sentence, "under what-if %s, which is not real: ", report->what_if);
	if (!report->nruns)
		say(&sentence, "%zu cells, and no run", report->ncells);
	else if (row)
		say_row(&sentence, report, row);
	else
		say_nothing(&sentence, report);
	say(&sentence, ".");
	return memcpy(text, sentence.text, sizeof sentence.text);
}

int text_verdict(const struct report *report, FILE *out)
{
	char text[REPORT_VERDICT_MAX];

	fputs("\n", out);
	terminal_style(STYLE_STRONG, out);
	text_wrap("", report_verdict(report, text), out);
	terminal_style(STYLE_PLAIN, out);
	return 0;
}
