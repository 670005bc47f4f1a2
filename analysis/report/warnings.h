/* warnings.h: every doubt about a measurement is one row here, with its remedy. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_WARNINGS_H
#define REPORT_WARNINGS_H

#include "report/report.h"

/* What a check says: detail and hint fill the places of {} in its row's text and remedy. */
struct finding {
	char detail[480];
	char hint[256];
};

/* A figure of a thread count; NAN where it is not known. */
typedef double row_figure(const struct report *report, const struct report_row *row);

/* With one of the functions it is looked for in the report; else it is noted while recording. */
struct warning {
	const char *code;
	enum severity severity;
	const char *text;   /* {}: the detail */
	const char *remedy; /* {}: the hint; "" where there is nothing to do */
	/* 1 and *finding where there is cause for it, 0 where not. */
	int (*check)(const struct report *report, struct finding *finding);
	/* Likewise, by the thread count with the largest figure, where that is over the limit. */
	row_figure *figure;
	double limit;
	int (*say)(const struct report *report, const struct report_row *row, double figure,
		   struct finding *finding);
	/* Likewise, by the times of the runs of each thread count; the first with cause counts. */
	int (*say_times)(const double *times, size_t count, int threads, struct finding *finding);
};
/* How far the row's calls, where flops are the work, are others than those of `base`: in the flops
 * of one call and in those of one run. Threads that share out the same flops in smaller calls do
 * the same work. */
double report_mix_change(const struct report_row *base, const struct report_row *row);
/* Calls that differ by less are the same. */
#define CALL_MIX_MAX 0.05

/* For the report and the manual. */
extern const struct warning warnings[];
extern const size_t warnings_count;
/* NULL where there is no such row. */
const struct warning *warning_find(const char *code);

/* Fills report->warnings: first what the runs noted that compare with the newest (with the details
 * of the newest run that has the code; codes without a row too), then what the checks find. */
void build_warnings(const struct run *runs, size_t count, struct report *report);

/* The environment variable that sets the thread count of the BLAS in use: "OPENBLAS_NUM_THREADS".
 */
const char *report_threads_variable(const struct report *report);

#endif
