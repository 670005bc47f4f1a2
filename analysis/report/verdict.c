/* verdict.c: the speed-up, the largest cause of the loss, and what to do about it. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/causes.h"
#include "base/array.h"
#include "base/human.h"
#include "base/string_pool.h"
#include "report/build.h"
#include "report/warnings.h"

const struct report_row *report_verdict_row(const struct report *report)
{
	return report->ncauses ? report_find_row(report, report->causes->threads) : NULL;
}

const struct report_row *report_failed(const struct report *report)
{
	const struct report_row *base = report_find_row(report, 1);
	const struct report_row *row = report_verdict_row(report);

	return row && row->failed ? row : base && base->failed ? base : NULL;
}

int report_cause_is_known(const struct report_cause *cause)
{
	return strcmp(cause->cause, cause_kinds[CAUSE_NONE].name) != 0 &&
	       strcmp(cause->cause, cause_kinds[CAUSE_TOO_NOISY].name) != 0;
}

const char *report_cause_text(const struct report_cause *cause)
{
	return report_cause_is_known(cause) ? string_printf("%s (%s)", cause->sentence, cause->sure)
					    : cause->sentence;
}

static int whole_differs(const struct report_row *row)
{
	return fabs(row->whole_speedup / row->speedup - 1) > WHOLE_DISTANCE_MAX;
}

/* Others may take so much of one thread's time, and less of more threads', that no speed-up is
 * true. */
#define STARVED_MAX (1. / 3)

/* The share of its time that one thread had no CPU, if the speed-up is not true for that; else 0.
 */
static double starved_share(const struct report *report, const struct report_row *row)
{
	const struct report_row *base = report_find_row(report, 1);
	double share = base ? account_share(&base->account, CAT_NO_CPU) : 0;

	return share > (row->speedup > (1 + LOSS_MIN) * row->lost.ideal ? LOSS_MIN : STARVED_MAX)
		       ? share
		       : 0;
}

const char *report_ideal_text(const struct report *report, const struct report_row *row)
{
	double starved = starved_share(report, row);
	char text[128] = "";

	SAY(text, "ideal: %.2f", row->lost.ideal);
	if (whole_differs(row))
		SAY(text, "; whole run: %s", human_number(row->whole_speedup));
	if (starved > 0)
		SAY(text, "; one thread had no CPU for %.0f %% of its time", 100 * starved);
	return string_pooled(text);
}

const char *report_finding(const struct report *report)
{
	const struct report_cause *first = report->causes;
	const struct report_row *row = report_verdict_row(report);
	const struct report_row *failed = report_failed(report);
	char text[2048] = "", begin[32];

	if (failed)
		SAY(text, "The command failed with %s. ", human_noun(failed->threads, "thread"));
	if (*report->what_if)
		SAY(text, "With --what-if=%s: ", report->what_if);
	if (!report->nruns) {
		SAY(text, "%zu cells, and no run", report->ncells);
	} else if (!first) {
		SAY(text, "no figures: the region of interest has no length");
	} else {
		/* some sentences begin with the speed-up themselves */
		snprintf(begin, sizeof begin, "%d threads give ", first->threads);
		if (row && row->threads > 1 && isfinite(row->speedup) &&
		    strncmp(first->sentence, begin, strlen(begin)) != 0) {
			double half = (row->speedup_range.high - row->speedup_range.low) / 2;

			SAY(text, "%sa speed-up of %s%s%s (%s). ", begin,
			    human_number(row->speedup), isfinite(half) ? " ± " : "",
			    isfinite(half) ? human_number(half) : "",
			    report_ideal_text(report, row));
		}
		SAY(text, "%s", report_cause_text(first));
	}
	return string_pooled(text);
}

/* 1 for what takes the CPUs from outside the program. */
static int is_outside(const struct report_cause *cause)
{
	static const enum cause outside[] = {CAUSE_OTHER_PROGRAMS, CAUSE_HOST_STEAL,
					     CAUSE_CPU_QUOTA};

	EACH_ROW(kind, outside, COUNT(outside))
		if (!strcmp(cause->cause, cause_kinds[*kind].name))
			return 1;
	return 0;
}

/* Returns the first cause's remedy and, if that is not about the program, that of the program's own
 * largest cause. */
static const char *own_remedy(const struct report *report)
{
	const struct report_cause *first = report->causes;

	EACH_AT(cause, report, causes, is_outside(first) ? first->threads : -1)
		if (!is_outside(cause) && report_cause_is_known(cause) && *cause->remedy &&
		    cause->lost >= LOSS_MIN * cause->threads)
			return string_printf("%s; for %s: %s", first->remedy, cause->cause,
					     cause->remedy);
	return first->remedy;
}

const char *report_remedy(const struct report *report)
{
	const struct report_cause *first = report->causes;
	const struct report_row *row = report_verdict_row(report);

	if (report_failed(report))
		return warning_find("failed_runs")->remedy;
	if (row && row->threads > 1 && !*first->remedy && starved_share(report, row) > 0)
		return "see that one thread has a CPU all the time, and record again";
	if (row && row->speedup - row->whole_speedup > row->lost.ideal - row->speedup &&
	    whole_differs(row))
		return string_printf("the whole run loses more outside of the part that is "
				     "measured here: see it with --roi=process%s%s",
				     *first->remedy ? "; for the loss inside: " : "",
				     first->remedy);
	return first ? own_remedy(report) : "";
}

const char *report_verdict(const struct report *report)
{
	const char *remedy = report_remedy(report);

	return string_printf("%s%s%s.", report_finding(report), *remedy ? "; " : "", remedy);
}
