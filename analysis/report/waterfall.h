/* waterfall.h: the steps from the ideal speed-up down to the measured one, one for each cause. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_WATERFALL_H
#define REPORT_WATERFALL_H

#include "report/report.h"

enum step_kind { STEP_WHOLE, STEP_LOST, STEP_REST };
struct waterfall_step {
	char name[128]; /* for a cause, with its place */
	enum step_kind kind;
	double from, to; /* the lower and the upper end of its bar, as speed-ups */
	double value;	 /* what it adds; in the first and the last step, the speed-up itself */
};

/* Returns a fresh array of *count steps: the ideal, a step for each cause, the largest first, what
 * no cause explains, and the measured speed-up. *row is the row of the thread count. Returns NULL,
 * with *count 0, if no speed-up is known. */
struct waterfall_step *waterfall_make(const struct report *report, const struct report_row **row,
				      size_t *count);

#endif
