/* waterfall.c: the steps from the ideal speed-up down to the measured one, one for each cause. */
/* SPDX-License-Identifier: MIT */
#include "report/waterfall.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "report/build.h"
#include "report/causes.h"

#define SHOWN_MIN 0.005 /* less is printed as 0.00 */

struct waterfall_step *waterfall_make(const struct report *report, const struct report_row **row,
				      size_t *count)
{
	struct waterfall_step *steps;
	double at;

	*count = 0;
	*row = report->ncauses ? report_find_row(report, report->causes[0].threads) : NULL;
	if (!*row || (*row)->threads < 2 || !isfinite((*row)->speedup))
		return NULL;
	steps = memory_rows(report->ncauses + 2, sizeof *steps);
	at = (*row)->threads;
	steps[(*count)++] = (struct waterfall_step){"ideal", STEP_WHOLE, 0, at, at};
	EACH_ROW(cause, report->causes, report->ncauses) {
		struct waterfall_step *step = &steps[*count];

		if (cause->threads != (*row)->threads || !(cause->lost >= SHOWN_MIN) ||
		    !strcmp(cause->cause, cause_kinds[CAUSE_NONE].name))
			continue;
		*step = (struct waterfall_step){"", STEP_LOST, at - cause->lost, at, -cause->lost};
		snprintf(step->name, sizeof step->name, "%s%s%.80s", cause->cause,
			 *cause->place ? ": " : "", cause->place);
		at -= cause->lost;
		++*count;
	}
	if (fabs(at - (*row)->speedup) >= SHOWN_MIN) {
		struct waterfall_step *rest = &steps[(*count)++];

		*rest = (struct waterfall_step){"not explained", STEP_REST, (*row)->speedup, at,
						(*row)->speedup - at};
		if (at < (*row)->speedup)
			*rest = (struct waterfall_step){"gained", STEP_REST, at, (*row)->speedup,
							(*row)->speedup - at};
	}
	steps[(*count)++] = (struct waterfall_step){"measured", STEP_WHOLE, 0, (*row)->speedup,
						    (*row)->speedup};
	return steps;
}
