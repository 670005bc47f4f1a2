/* scaling.h: learns from an experiment's runs how it scales, and predicts from that. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SCALING_H
#define REPORT_SCALING_H

#include "report/report.h"

/* Learns from the runs and the report's rows, whose sums, rates and speed-ups are there, into
 * report->scaling. 0, or -1 when memory is out; free with scaling_free() in both cases. */
int scaling_learn(const struct run *runs, struct report *report);
void scaling_free(struct scaling *scaling);

/* What models are solved for; it points into *scaling. */
struct model_input scaling_input(const struct scaling *scaling);

/* Do BLAS calls wait for one another, as far as can be told? Else they got slower by themselves. */
int scaling_queues(const struct report *report, int threads);

/* Waiting for a unit makes BLAS calls longer; what else is lost is no sign of one: 1 where that is
 * most of it. */
int scaling_fit_is_doubtful(const struct scaling *scaling);
/* What the fit of m says: "behaves like 1.1 shared units (1.0 to 1.3)". Returns text. */
const char *scaling_fit_text(const struct scaling *scaling, char *text, size_t size);

#endif
