/* scaling_text.c: describes in words how an experiment scales. */
/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "report/scaling.h"
#include "base/array.h"
#include "base/human.h"
#include "base/string_pool.h"

const char *scaling_fit_text(const struct scaling *scaling)
{
	const struct units_fit *fit = &scaling->fit;
	const char *interval = "";

	if (scaling->input.meeting == MEET_ONE_CALLER)
		return "not fitted: one caller, BLAS itself runs on several threads";
	if (scaling->input.meeting == MEET_BOTH)
		return "not fitted: callers have BLAS workers besides";
	if (scaling->input.meeting == MEET_PIPELINE)
		return "not fitted: the threads do different parts of the work";
	if (scaling->input.one_caller)
		return "not fitted: one thread makes all calls";
	if (!scaling->has_fit && scaling->npoints > 1 && scaling->npoints_of_fit < 2)
		return "not fitted: threads lacked CPUs; use no more than there are";
	if (!scaling->has_fit)
		return "not fitted: needs a measured speed-up with 2 threads or more";
	if (fit->result == UNITS_NONE_SEEN)
		return "no shared unit seen";
	if (fit->result == UNITS_UNCLEAR)
		return "cannot be told apart from 1 unit: more runs would tell";
	if (fit->result == UNITS_NOT_VISIBLE)
		return "cannot be seen at these thread counts";
	if (isfinite(fit->low) && isfinite(fit->high))
		interval = string_printf(" (%.1f to %.1f)", fit->low, fit->high);
	else if (isfinite(fit->low))
		interval = string_printf(" (%.1f or more)", fit->low);
	return string_printf("behaves like %s%.1f shared unit%s%s%s",
			     scaling->f_estimated ? "~" : "", fit->units,
			     fabs(fit->units - 1) < 0.05 ? "" : "s", interval,
			     fit->rejected ? ", but no number of units explains the points" : "");
}

const char *scaling_units_text(const struct scaling *scaling)
{
	static const char *const from[] = {
		[UNITS_FROM_OPTION] = "as declared",
		[UNITS_FROM_WHAT_IF] = "as --what-if had it",
		[UNITS_FROM_SPEEDUPS] = "as fitted",
	};

	if (scaling->units_from == UNITS_FROM_NOTHING)
		return "threads that share no matrix unit";
	if (scaling->units_from == UNITS_FROM_CALLER)
		return "one thread that makes all calls, so that m = 1";
	return string_printf("%.3g matrix unit%s that all threads share, %s", scaling->units.value,
			     fabs(scaling->units.value - 1) < 0.005 ? "" : "s",
			     from[scaling->units_from]);
}

const char *scaling_meeting_text(const struct scaling *scaling)
{
	static const char *const texts[] = {
		[MEET_FREELY] = "independent callers",
		[MEET_BARRIER] = "callers that meet at barriers",
		[MEET_ONE_CALLER] = "one caller, with BLAS on several threads",
		[MEET_BOTH] = "callers, each with BLAS on several threads",
		[MEET_PIPELINE] = "a pipeline, each thread with another part of the work",
	};
	const struct model_input *input = &scaling->input;

	if (input->meeting == MEET_BARRIER && isfinite(input->calls_a_step))
		return string_printf("%s, after %s of %s", texts[MEET_BARRIER],
				     human_noun(rint(input->calls_a_step), "call"),
				     input->split_calls ? "each thread, on its part of the data"
							: "all threads");
	if (input->other_parallel > 0)
		return string_printf("one caller, with BLAS and %.0f %% of its other code on "
				     "several threads",
				     100 * input->other_parallel);
	return texts[input->meeting];
}

const char *scaling_check_text(const struct scaling *scaling)
{
	const struct units_fit *fit = &scaling->fit;
	double measured = scaling_measured(scaling, fit->left_out_threads).value, fitted = NAN;

	if (!scaling->has_fit || !isfinite(fit->left_out))
		return "";
	EACH_ROW(point, scaling->points_of_fit, scaling->npoints_of_fit)
		if (point->threads == fit->left_out_threads)
			fitted = point->speedup;
	return string_printf("left out of the fit, %d threads are predicted %.1f %% too %s%s, the "
			     "worst of %d",
			     fit->left_out_threads, 100 * fabs(fit->left_out),
			     fit->left_out < 0 ? "low" : "high",
			     fabs(fitted - measured) >= 0.01 * measured
				     ? string_printf(" (for a speed-up of %.2f, with a CPU for "
						     "each thread and no slower other code)",
						     fitted)
				     : "",
			     fit->points);
}
