/* scaling.c: learns from an experiment's runs how it scales. */
/* SPDX-License-Identifier: MIT */
#include "report/scaling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/estimate.h"
#include "report/build.h"
#include "base/array.h"

/* How many calls a replay counts: the whole sequence for two threads, and 10 ms. */
#define REPLAY_CALLS  (2 * RUN_PAIRS_MAX)
/* How many all replays of a fit count together, where it needs every one it might: 0.3 s. */
#define FIT_CALLS     2000000
#define FIT_CALLS_MIN 2000 /* of one replay */

void scaling_free(struct scaling *scaling)
{
	free(scaling->points);
	free(scaling->points_of_fit);
	free(scaling->pairs);
	memset(scaling, 0, sizeof *scaling);
	scaling->f = scaling->f_range.low = scaling->f_range.high = scaling->f_pairs = NAN;
}

/* The shapes of the runs in use at this thread count; NULL when memory is out. */
static struct call_times *gather_shapes(const struct run *runs, const struct report *report,
					int threads, size_t *count)
{
	struct call_times *all;
	size_t room = 0;

	*count = 0;
	for (size_t i = 0; i < report->nruns; i++)
		room += runs[i].nshapes;
	all = calloc(room + 1, sizeof *all);
	for (size_t i = 0; all && i < report->nruns; i++) {
		if (!report->runs[i].used || report->runs[i].threads != threads)
			continue;
		for (size_t j = 0; j < runs[i].nshapes; j++) {
			const struct run_shape *shape = &runs[i].shapes[j];

			all[(*count)++] = (struct call_times){
				shape->histogram, (double)shape->calls, (double)shape->min_ns,
				(double)shape->max_ns, (double)shape->total_ns};
		}
	}
	return all;
}

/* What one thread would do, by the fastest calls of the row's runs. */
static int estimate_base(const struct run *runs, const struct report *report,
			 const struct report_row *row, struct scaling *scaling)
{
	struct f1_estimate estimate;
	size_t count;
	struct call_times *shapes;

	scaling->base.throughput = scaling->base.blas_per_work = scaling->base.other_per_work = NAN;
	if (row->account.parallel != PARALLEL_CALLERS)
		return 0;
	shapes = gather_shapes(runs, report, row->threads, &count);
	if (!shapes)
		return -1;
	if (!estimate_f1(shapes, count, RUN_HISTOGRAM_BUCKETS, run_bucket_low_ns,
			 row->account.caller_other_ns, &estimate)) {
		double work = row->account.work;

		scaling->f = estimate.f;
		scaling->f_estimated = row->threads;
		scaling->base.throughput = work / (estimate.blas_ns + estimate.other_ns) * 1e9;
		scaling->base.blas_per_work = estimate.blas_ns / work;
		scaling->base.other_per_work = estimate.other_ns / work;
	}
	free(shapes);
	return 0;
}

static int find_base(const struct run *runs, const struct report *report, struct scaling *scaling)
{
	const struct report_row *one = report_find_row(report, 1);

	if (!one)
		return estimate_base(runs, report, &report->rows[0], scaling);
	scaling->f = one->account.f_intercepted;
	scaling->f_range = one->f_intercepted_range;
	scaling->base.throughput = one->throughput;
	scaling->base.blas_per_work = account_per_work(&one->account, CAT_BLAS);
	scaling->base.other_per_work = account_per_work(&one->account, CAT_OTHER);
	return 0;
}

/* N - S = sum over the categories of N (xN - x1) / (bN + cN + oN + pN): of it, what BLAS lost. */
static void set_loss(const struct report_row *row, struct scaling *scaling)
{
	double all = 0, blas = account_per_work(&row->account, CAT_BLAS);

	for (int category = 0; category < CAT_COUNT; category++)
		all += account_per_work(&row->account, (enum category)category);
	scaling->lost = row->threads - row->throughput / scaling->base.throughput;
	scaling->lost_blas = row->threads * (blas - scaling->base.blas_per_work) / all;
}

/* The measured points, over what one thread does. */
static int add_points(const struct report *report, struct scaling *scaling)
{
	for (size_t i = 0; i < report->nrows; i++) {
		const struct report_row *row = &report->rows[i];
		double speedup = row->throughput / scaling->base.throughput;
		struct speedup_point *point;

		if (!isfinite(speedup))
			continue;
		point = array_add(&scaling->points, &scaling->npoints, sizeof *point);
		if (!point)
			return -1;
		*point = (struct speedup_point){row->threads, speedup,
						(row->speedup_range.high - row->speedup_range.low) /
							2};
		set_loss(row, scaling); /* the last stays: the most threads */
	}
	return 0;
}

/* How many times as long the other code takes at so many threads as on one. */
static double other_growth(const struct report *report, const struct scaling *scaling, int threads)
{
	double growth = account_per_work(&report_find_row(report, threads)->account, CAT_OTHER) /
			scaling->base.other_per_work;

	return isfinite(growth) && growth > 0 ? growth : 1;
}

static int add_points_of_fit(const struct report *report, struct scaling *scaling)
{
	double f = scaling->f;

	scaling->points_of_fit = calloc(scaling->npoints + 1, sizeof *scaling->points_of_fit);
	if (!scaling->points_of_fit)
		return -1;
	for (size_t i = 0; i < scaling->npoints; i++) {
		struct speedup_point *point = &scaling->points_of_fit[i];
		double longer;

		*point = scaling->points[i];
		longer = f + (1 - f) * other_growth(report, scaling, point->threads);
		point->speedup *= longer;
		point->half *= longer;
	}
	return 0;
}

/* The sequence of that run in use at one thread whose f is closest to f(1). */
static int copy_pairs(const struct run *runs, const struct report *report, struct scaling *scaling)
{
	const struct run *from = NULL;
	double least = INFINITY;

	for (size_t i = 0; i < report->nruns; i++) {
		double off = fabs(report->runs[i].f_intercepted - scaling->f);

		if (report->runs[i].used && report->runs[i].threads == 1 && runs[i].npairs &&
		    off <= least) {
			least = off;
			from = &runs[i];
		}
	}
	if (!from)
		return 0;
	scaling->pairs = calloc(from->npairs, sizeof *scaling->pairs);
	if (!scaling->pairs)
		return -1;
	for (size_t i = 0; i < from->npairs; i++)
		scaling->pairs[i] = (struct replay_pair){(float)from->pairs[i].gap_ns,
							 (float)from->pairs[i].service_ns};
	scaling->npairs = from->npairs;
	scaling->f_pairs = replay_blas_share(scaling->pairs, scaling->npairs);
	if (!(fabs(scaling->f_pairs - scaling->f) <= SCALING_SHARE_MAX))
		scaling->npairs = 0;
	return 0;
}

/* A fit looks at up to one m for each thread, and at some below 1, at each point. */
static size_t fit_calls(const struct scaling *scaling)
{
	size_t threads = (size_t)scaling->points[scaling->npoints - 1].threads;
	size_t calls = FIT_CALLS / ((threads + 16) * scaling->npoints);

	calls = calls < REPLAY_CALLS ? calls : REPLAY_CALLS;
	return calls > FIT_CALLS_MIN ? calls : FIT_CALLS_MIN;
}

static double shared_units_speedup(void *context, int n, double m)
{
	const struct report *report = context;
	const struct scaling *scaling = &report->scaling;
	double growth = other_growth(report, scaling, n), f = scaling->f;

	return scaling->npairs ? replay_scaled(scaling->pairs, scaling->npairs, 1 / growth, n, m,
					       fit_calls(scaling))
			       : model_queue(f / (f + (1 - f) * growth), n, m);
}

int scaling_learn(const struct run *runs, struct report *report)
{
	struct scaling *scaling = &report->scaling;

	scaling_free(scaling);
	if (!report->nrows)
		return 0;
	scaling->parallel = report->rows[report->nrows - 1].account.parallel;
	if (find_base(runs, report, scaling) || add_points(report, scaling) ||
	    add_points_of_fit(report, scaling) || copy_pairs(runs, report, scaling))
		return -1;
	scaling->has_fit = report->rows[report->nrows - 1].threads <= REPLAY_THREADS_MAX &&
			   scaling->parallel == PARALLEL_CALLERS && isfinite(scaling->f) &&
			   !fit_units(scaling->points_of_fit, scaling->npoints,
				      shared_units_speedup, report, UNITS_TOLERANCE, &scaling->fit);
	if (scaling->fit.no_memory)
		return -1;
	scaling->has_usl = !usl_fit(scaling->points, scaling->npoints, &scaling->usl);
	return 0;
}

struct model_input scaling_input(const struct scaling *scaling)
{
	return (struct model_input){scaling->f,
				    scaling->f_range.low,
				    scaling->f_range.high,
				    scaling->parallel,
				    scaling->pairs,
				    scaling->npairs,
				    REPLAY_CALLS,
				    scaling->has_usl ? &scaling->usl : NULL};
}

/* They do where most of what they take longer is blocked time, or where a shared unit explains
 * the loss and other code did not grow nearly as much (as it does when memory, caches or the clock
 * rate are what is shared). */
int scaling_queues(const struct report *report, int threads)
{
	const struct report_row *base = report_find_row(report, 1);
	const struct report_row *row = report_find_row(report, threads);
	const struct scaling *scaling = &report->scaling;
	double more, blocked, growth[2];

	if (!base || !row || row == base)
		return 0;
	more = account_per_work(&row->account, CAT_BLAS) -
	       account_per_work(&base->account, CAT_BLAS);
	blocked = row->account.blas_waiting_ns / row->account.work -
		  base->account.blas_waiting_ns / base->account.work;
	if (blocked > more / 2)
		return 1;
	for (int i = 0; i < 2; i++)
		growth[i] = account_per_work(&row->account, i ? CAT_OTHER : CAT_BLAS) /
				    account_per_work(&base->account, i ? CAT_OTHER : CAT_BLAS) -
			    1;
	return scaling->has_fit && scaling->fit.result == UNITS_FITTED &&
	       !scaling_fit_is_doubtful(scaling) && !(growth[0] < 2 * growth[1]);
}

int scaling_fit_is_doubtful(const struct scaling *scaling)
{
	return scaling->has_fit && scaling->fit.result == UNITS_FITTED &&
	       scaling->lost_blas < scaling->lost / 2;
}

const char *scaling_fit_text(const struct scaling *scaling, char *text, size_t size)
{
	const struct units_fit *fit = &scaling->fit;
	int length;

	if (scaling->parallel == PARALLEL_INNER)
		snprintf(text, size, "not fitted: one caller, BLAS itself runs on several threads");
	else if (scaling->parallel == PARALLEL_BOTH)
		snprintf(text, size, "not fitted: callers have BLAS workers besides");
	else if (!scaling->has_fit)
		snprintf(text, size,
			 "not fitted: needs a measured speed-up with 2 threads or more");
	else if (fit->result == UNITS_NONE_SEEN)
		snprintf(text, size, "no shared unit seen");
	else if (fit->result == UNITS_NOT_VISIBLE)
		snprintf(text, size, "cannot be seen at these thread counts");
	else {
		length = snprintf(text, size, "behaves like %s%.1f shared unit%s",
				  scaling->f_estimated ? "~" : "", fit->units,
				  fabs(fit->units - 1) < 0.05 ? "" : "s");
		if (isfinite(fit->low) && isfinite(fit->high))
			snprintf(text + length, size - (size_t)length, " (%.1f to %.1f)", fit->low,
				 fit->high);
		else if (isfinite(fit->low))
			snprintf(text + length, size - (size_t)length, " (%.1f or more)", fit->low);
	}
	return text;
}
