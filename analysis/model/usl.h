/* usl.h: N. Gunther's universal scalability law, fitted to measured speed-ups. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_USL_H
#define MODEL_USL_H

#include <stddef.h>

#include "model/fit.h"
#include "model/stats.h"

/* S(N) = N / (1 + a (N - 1) + b N (N - 1)), a the contention, b the cost of agreement between
 * threads (N. J. Gunther, Guerrilla Capacity Planning, Springer 2007). It describes the points; it
 * explains nothing. */
struct usl_fit {
	struct interval a, b;	    /* both at least 0 */
	double var_a, var_b, covar; /* NAN where the intervals are not known */
	double error;		    /* root mean square of the points' errors */
	int points;		    /* those with 2 threads or more, which tell something */
};

/* Least squares on the speed-ups, with a, b >= 0 (Gauss and Newton, from the line that
 * N / S - 1 makes of the points). The 95 % intervals are by the delta method: from the points'
 * own intervals, or from what the fit leaves over where that is more (then with Student's t for
 * its degrees of freedom); unknown (NAN) where there is neither. Their low ends are cut at 0.
 * Returns 0, or -1 without points at two different counts above 1. */
int usl_fit(const struct speedup_point *points, size_t count, struct usl_fit *fit);

/* The fitted law at n >= 1 threads, with its interval. */
struct interval usl_speedup(const struct usl_fit *fit, int n);

#endif
