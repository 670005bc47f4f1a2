/* causes.c: the list of causes, and the waterfall of those that were found. */
/* SPDX-License-Identifier: MIT */
#include "report/causes.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/string_pool.h"
#include "report/build.h"

const struct cause_kind cause_kinds[CAUSES] = {
#define CAUSE_KIND(id, ...) [CAUSE_##id] = {__VA_ARGS__},
	CAUSE_ROWS(CAUSE_KIND)
#undef CAUSE_KIND
};

#define SHOWN_MIN 0.005 /* less is printed as 0.00 */

struct waterfall_step *waterfall_make(const struct report *report, const struct report_row **row,
				      size_t *count)
{
	struct waterfall_step *steps;
	double at, speedup;

	*count = 0;
	*row = report_verdict_row(report);
	if (!*row || (*row)->threads < 2 || !isfinite((*row)->speedup))
		return NULL;
	steps = memory_rows(report->ncauses + 2, sizeof *steps);
	at = (*row)->threads;
	steps[(*count)++] = (struct waterfall_step){"ideal", STEP_WHOLE, 0, at, at};
	EACH_AT(cause, report, causes, (*row)->threads) {
		if (!(cause->lost >= SHOWN_MIN) ||
		    !strcmp(cause->cause, cause_kinds[CAUSE_NONE].name))
			continue;
		steps[(*count)++] = (struct waterfall_step){
			string_printf("%s%s%.80s", cause->cause, *cause->place ? ": " : "",
				      cause->place),
			STEP_LOST, at - cause->lost, at, -cause->lost};
		at -= cause->lost;
	}
	speedup = (*row)->speedup;
	if (fabs(at - speedup) >= SHOWN_MIN)
		steps[(*count)++] = (struct waterfall_step){
			at > speedup ? "not explained" : "gained", STEP_REST, fmin(at, speedup),
			fmax(at, speedup), speedup - at};
	steps[(*count)++] = (struct waterfall_step){"measured", STEP_WHOLE, 0, speedup, speedup};
	return steps;
}
