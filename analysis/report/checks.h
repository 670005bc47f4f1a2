/* checks.h: what is doubtful about a report's figures; rows of the table of warnings name these. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CHECKS_H
#define REPORT_CHECKS_H

#include "report/warnings.h"

/* Each: 1 and *finding where there is cause for its warning, else 0. */
int check_no_calls(const struct report *report, struct finding *finding);
int check_samples_lost(const struct report *report, struct finding *finding);
int check_samples_missing(const struct report *report, struct finding *finding);
int check_no_categories(const struct report *report, struct finding *finding);
int check_few_samples(const struct report *report, struct finding *finding);
int check_unsampled(const struct report *report, struct finding *finding);
int check_coverage(const struct report *report, struct finding *finding);
int check_off_cpu(const struct report *report, struct finding *finding);
int check_oversubscription(const struct report *report, struct finding *finding);
int check_threads_over_cpus(const struct report *report, struct finding *finding);
int check_other_load(const struct report *report, struct finding *finding);
int check_steal(const struct report *report, struct finding *finding);
int check_empty_roi(const struct report *report, struct finding *finding);
int check_left_out(const struct report *report, struct finding *finding);
int check_few_runs(const struct report *report, struct finding *finding);
int check_first_slow(const struct report *report, struct finding *finding);
int check_outliers(const struct report *report, struct finding *finding);
int check_replay(const struct report *report, struct finding *finding);
int check_drift(const struct report *report, struct finding *finding);
int check_short_roi(const struct report *report, struct finding *finding);
int check_own_cost(const struct report *report, struct finding *finding);
int check_call_mix(const struct report *report, struct finding *finding);
int check_failed_runs(const struct report *report, struct finding *finding);
int check_mixed_machines(const struct report *report, struct finding *finding);

/* Writes the detail; returns 1, as a check that found something does. */
int finding_set(struct finding *finding, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The ending of the noun that follows the count. */
const char *plural(int count);

#endif
