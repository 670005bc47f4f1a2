/* scaling.h: what an experiment's runs tell about how it scales: f(1), measured speed-ups, the
 * recorded sequence of calls, and what was fitted to them. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SCALING_H
#define REPORT_SCALING_H

#include <stddef.h>

#include "model/accounting.h"
#include "model/fit.h"
#include "model/models.h"
#include "model/replay.h"
#include "model/stats.h"
#include "model/usl.h"
#include "store/run.h"

#define REPORT_MODELS 5 /* rows of models[] */

/* Speed-ups that are predicted: in the order of models[], then these. */
enum { PREDICTED_REPLAY = REPORT_MODELS, PREDICTED_USL, REPORT_PREDICTIONS };
/* "queue", ..., "replay", "usl". */
const char *predicted_name(size_t prediction);

/* The ends of a figure's 95 % interval; NAN where it is not known. */
struct report_range {
	double low, high;
};

/* A recorded sequence whose f is further from the run's is not like it, and not replayed. */
#define SCALING_SHARE_MAX 0.05

/* Figures that are not known are NAN. */
struct scaling {
	double f; /* f(1) */
	struct report_range f_range;
	int f_estimated; /* not 0: f and `base` are estimated from runs at so many threads */
	struct {
		double throughput;    /* work a second of one thread */
		double blas_per_work; /* ns */
		double other_per_work;
	} base;
	enum parallel_case parallel;  /* at the most threads */
	struct speedup_point *points; /* measured, over base, by thread count */
	size_t npoints;
	struct replay_pair *pairs; /* recorded at one thread, where they are like the run */
	size_t npairs;
	double f_pairs; /* f of the sequence that was recorded */
	/* The same over one thread whose other code takes as long as there: what memory, caches or the clock rate cost
	 * is no sign of a shared unit. */
	struct speedup_point *points_of_fit;
	int has_fit;
	struct units_fit fit; /* on replay, or on queue where there are no pairs, to points_of_fit */
	double lost, lost_blas; /* speed-up lost at the most threads, and to BLAS */
	int has_usl;
	struct usl_fit usl;
};

struct report;
/* Learns from the runs and the report's rows, whose sums, rates and speed-ups are there, into
 * report->scaling. 0, or -1 when memory is out; free with scaling_free() in both cases. */
int scaling_learn(const struct run *runs, struct report *report);
void scaling_free(struct scaling *scaling);

/* What one of the predictions says for n threads on m units, its interval from that of f or of the
 * fit. */
struct interval scaling_predict(const struct scaling *scaling, size_t prediction, int n, double m);
/* The one that is made for what was seen; -1 where none is. */
int scaling_chosen(const struct scaling *scaling);

/* Do BLAS calls wait for one another, as far as can be told? Else they got slower by themselves. */
int scaling_queues(const struct report *report, int threads);

/* Waiting for a unit makes BLAS calls longer; what else is lost is no sign of one: 1 where that is
 * most of it. */
int scaling_fit_is_doubtful(const struct scaling *scaling);
/* What the fit of m says: "behaves like 1.1 shared units (1.0 to 1.3)". Returns text. */
const char *scaling_fit_text(const struct scaling *scaling, char *text, size_t size);

#endif
