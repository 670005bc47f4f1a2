/* waterfall.h: from the ideal speed-up down to the measured one, cause by cause. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_WATERFALL_H
#define REPORT_WATERFALL_H

#include "report/report.h"

enum step_kind { STEP_WHOLE, STEP_LOST, STEP_REST };
struct waterfall_step {
	char name[128]; /* of a cause: with its place */
	enum step_kind kind;
	double from, to; /* the lower and the upper speed-up of its bar */
	double value;	 /* what it adds; the first and the last: the speed-up itself */
};

/* The steps, a fresh array with *count of them: the ideal, a step for each cause, the largest
 * first, what no cause explains, the measured. *row: the thread count's. NULL with *count 0 where
 * no speed-up is known. */
struct waterfall_step *waterfall_make(const struct report *report, const struct report_row **row,
				      size_t *count);

#endif
