/* fit.h: fits to measured speed-ups: of shared units, and of the universal scalability law. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_FIT_H
#define MODEL_FIT_H

#include <stddef.h>

#include "model/stats.h"

/* A measured speed-up over one thread. If `half` is not known, UNITS_NOISE stands for it, as a
 * share of the speed-up: single runs on a machine in use differ by about as much. */
struct speedup_point {
	int threads;
	double speedup;
	double half; /* half the width of its 95 % interval; 0 or NAN where it is not known */
	/* Likewise of the one thread that all points are over, as a share, where `half` does not
	 * take it in. */
	double base_half;
};

enum units_result {
	UNITS_FITTED,	   /* units, low and high hold */
	UNITS_NONE_SEEN,   /* unlimited units explain the points, and one unit does not */
	UNITS_UNCLEAR,	   /* unlimited units explain the points, and so does one */
	UNITS_NOT_VISIBLE, /* likewise, for the model gives the same with one unit */
};

struct units_fit {
	enum units_result result;
	double units;		  /* least squares, in UNITS_MIN .. the largest thread count */
	double low, high;	  /* 95 %; NAN: not known; high INFINITY: no upper end */
	double own_low, own_high; /* by what the points vary alone, without their base */
	double error;		  /* root mean square of the points' errors with it */
	int points;		  /* those with 2 threads or more, which tell something about m */
	int rejected; /* 1: with no m the model explains the points (chi-squared test) */
	/* The error of the point that is predicted worst, as a share of it, where each in turn is
	 * left out of the fit that predicts it, and its threads; NAN for a single point. */
	double left_out;
	int left_out_threads;
};

#define UNITS_MIN	0.1

/* A model falls short of the truth by about this share even where it is right: caches, clock rates
 * and memory are shared too. */
#define UNITS_TOLERANCE 0.03
#define UNITS_NOISE	0.10

/* Fits m by least squares of speedup(context, n, m) to the points. The function must not fall with
 * m, must be n at m >= n, and linear between whole m, as model_queue() and replay_scaled() are. It
 * is called at most once for each whole m near the fitted one, and for 16 values of m from 0.1 to
 * 1, between which the fit is linear too.
 *
 * The interval holds every m whose sum of squared errors, each in units of the point's variance, is
 * within 3.84 (chi-squared, one degree of freedom) of the fitted m's. A point's variance is its
 * interval's; or the fit's residual variance (scaled by Student's t) if that is not known, or is
 * less and the fit is rejected. What the base's interval moves the fitted m by is added as the root
 * of the sum of squares.
 *
 * The result is not UNITS_FITTED if every point comes within its interval and `tolerance` (a share)
 * of what the model gives for the largest thread count as m. One unit is then ruled out by a point
 * whose interval lies above what the model gives for m = 1, by the tolerance. The fit is rejected
 * if the points are further from it than their intervals and the tolerance allow. Returns 0, or -1
 * if no point has 2 threads or more or the function fails (NAN). */
int fit_units(const struct speedup_point *points, size_t count,
	      double (*speedup)(void *context, int n, double m), void *context, double tolerance,
	      struct units_fit *fit);

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
