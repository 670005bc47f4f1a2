/* build.h: the parts that report_build() is made of. Private to analysis/report. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_BUILD_H
#define REPORT_BUILD_H

#include "report/report.h"

/* All: 0, or -1 when memory is out; what they add is freed by report_free(). */

/* Fills report->runs (accounts and all but `used`) and report->threads. */
int build_runs(const struct run *runs, size_t count, struct report *report);
/* Marks the runs that count and fills report->rows with their sums, speed-ups and predictions. */
int build_rows(struct report *report);
/* Fill report->shapes and report->functions from the runs in use. */
int build_shapes(const struct run *runs, struct report *report);
int build_functions(const struct run *runs, struct report *report);

/* The row of a thread count, or NULL. */
const struct report_row *report_find_row(const struct report *report, int threads);

#endif
