/* scaling.h: learns from an experiment's runs how it scales, and predicts from that. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SCALING_H
#define REPORT_SCALING_H

#include "model/estimate.h"
#include "report/report.h"

/* Learns from the runs and the report's rows, whose sums, rates and speed-ups are there, into
 * report->scaling; free with scaling_free(). */
void scaling_learn(const struct run *runs, struct report *report);
void scaling_free(struct scaling *scaling);

/* What models are solved for; it points into *scaling. */
struct model_input scaling_input(const struct scaling *scaling);

/* The measured speed-up, with its interval; all NAN where that thread count was not measured. */
struct interval scaling_measured(const struct scaling *scaling, int threads);

/* The shared units that predictions for so many threads are for. One thread has a unit to itself,
 * also where the fitted m is below 1. */
struct interval scaling_units(const struct scaling *scaling, int threads);

/* Compares the calls' durations at so many threads with those at one. */
enum calls_tail scaling_tail(const struct report *report, int threads);
/* Do BLAS calls wait for one another? 1 only with evidence: they are blocked for most of what they
 * take longer, or m has a finite interval, the fit is not rejected, and the tail of the calls grew
 * while the fastest stayed as fast. Else they got slower, for what reason S(N) alone cannot tell.
 */
int scaling_queues(const struct report *report, int threads);

/* 1 where most of the loss is outside BLAS: only longer BLAS calls are a sign of a shared unit. */
int scaling_fit_is_doubtful(const struct scaling *scaling);
/* What the fit of m says: "behaves like 1.1 shared units (1.0 to 1.3)". Returns text. */
const char *scaling_fit_text(const struct scaling *scaling, char *text, size_t size);
/* "2 matrix units that all threads share, as declared". Returns text. */
const char *scaling_units_text(const struct scaling *scaling, char *text, size_t size);
/* "callers that meet at a barrier every 12 calls". Returns text. */
const char *scaling_meeting_text(const struct scaling *scaling, char *text, size_t size);
/* How the model does where it was not fitted: "left out of the fit, 4 threads are predicted 3 % too
 * high"; "" where that is not known. Returns text. */
const char *scaling_check_text(const struct scaling *scaling, char *text, size_t size);

#endif
