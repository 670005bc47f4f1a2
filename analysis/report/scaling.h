/* scaling.h: learns from an experiment's runs how it scales, and describes that in words. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SCALING_H
#define REPORT_SCALING_H

#include "model/estimate.h"
#include "report/report.h"

/* Fills report->scaling from the report's runs and rows, which must have their sums, rates and
 * speed-ups. scaling_free() frees it, and makes one of which nothing is known. */
void scaling_learn(struct report *report);
void scaling_free(struct scaling *scaling);

/* Returns the measured speed-up and its interval; NAN if that thread count was not measured. */
struct interval scaling_measured(const struct scaling *scaling, int threads);

/* Returns the shared units that predictions for this thread count are for. One thread has a unit to
 * itself, even if the fitted m is below 1. */
struct interval scaling_units(const struct scaling *scaling, int threads);

/* Compares the durations of calls at this thread count with those on one thread. */
enum calls_tail scaling_tail(const struct report *report, int threads);
/* Returns 1 if there is evidence that BLAS calls wait for one another: they are blocked for most of
 * the time that they take longer; or m has a finite interval, the fit is not rejected, and the tail
 * of the calls grew while the fastest stayed as fast. Otherwise they got slower for a reason that
 * S(N) alone cannot tell. */
int scaling_queues(const struct report *report, int threads);

/* Returns 1 if most of the loss is outside BLAS, since only longer BLAS calls show a shared unit.
 */
int scaling_fit_is_doubtful(const struct scaling *scaling);

/* The result of the fit of m: "behaves like 1.1 shared units (1.0 to 1.3)". */
const char *scaling_fit_text(const struct scaling *scaling);
/* "2 matrix units that all threads share, as declared" */
const char *scaling_units_text(const struct scaling *scaling);
/* "callers that meet at barriers, after 12 calls of all threads" */
const char *scaling_meeting_text(const struct scaling *scaling);
/* The error of the model at a point that was left out of the fit: "left out of the fit, 4 threads
 * are predicted 3 % too high, ..."; "" if that is not known. */
const char *scaling_check_text(const struct scaling *scaling);

#endif
