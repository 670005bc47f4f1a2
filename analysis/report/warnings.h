/* warnings.h: every doubt about a measurement is one row here, with its remedy. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_WARNINGS_H
#define REPORT_WARNINGS_H

#include "report/report.h"

/* What a check writes: detail and hint replace {} in its row's text and remedy. */
struct finding {
	char detail[480];
	char hint[256];
};

/* A figure of a thread count, and what to say of it; NAN where it is not known or says nothing. */
typedef double row_figure(const struct report *report, const struct report_row *row,
			  struct finding *finding);

/* A row with a check, a figure or say_times is looked for in the report; every other is noted while
 * recording. */
struct warning {
	const char *code;
	enum severity severity;
	const char *text;   /* {}: the detail */
	const char *remedy; /* {}: the hint; "" if there is nothing to do */
	/* Returns 1 and fills *finding if the warning applies, else 0; so does say_times(). */
	int (*check)(const struct report *report, struct finding *finding);
	/* The warning applies to the thread count with the largest figure, if that is over the
	 * limit. */
	row_figure *figure;
	double limit;
	/* Gets the times of the runs of each thread count; the first that returns 1 is used. */
	int (*say_times)(const double *times, size_t count, int threads, struct finding *finding);
};

/* The flops of a BLAS call, on average. */
double report_flops_per_call(const struct report_row *row);

/* How much the row's calls differ from those of `base`, if work is measured in flops: the smaller
 * change of the flops of one call and of one run. Threads that divide the same flops into smaller
 * calls do the same work. NAN for other measures of work. */
double report_mix_change(const struct report_row *base, const struct report_row *row);
/* Calls that differ by less count as the same. */
#define CALL_MIX_MAX 0.05

/* For the report and the manual. */
extern const struct warning warnings[];
extern const size_t warnings_count;
/* The first warning of this code that was added to the report already, or NULL. */
struct report_warning *warning_find_added(const struct report *report, const char *code);
/* Returns NULL if there is no such row. */
const struct warning *warning_find(const char *code);

/* Returns 1 if the code says that no call of the program can be intercepted. */
int warning_excludes_calls(const char *code);

/* The environment variable that sets the thread count of the BLAS in use: "OPENBLAS_NUM_THREADS".
 */
const char *report_threads_variable(const struct report *report);

#endif
