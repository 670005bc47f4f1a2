/* counters.h: counted events in a report. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_COUNTERS_H
#define REPORT_COUNTERS_H

#include "report/report.h"

/* Is it joules? */
int report_counter_is_energy(const struct report_counter *row);
/* The row of an event at a thread count, whatever its modifiers; NULL for none. */
const struct report_counter *report_find_counter(const struct report *report, int threads,
						 const char *event);

#endif
