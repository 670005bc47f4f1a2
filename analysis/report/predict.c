/* predict.c: works out speed-ups at thread and unit counts that were not measured. */
/* SPDX-License-Identifier: MIT */
#include "report/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/estimate.h"
#include "model/stats.h"
#include "report/build.h"
#include "report/repeats.h"
#include "util/array.h"

/* How many calls a replay counts: enough for three digits, and a table of them in a few seconds. */
#define PREDICT_ARRIVALS 400000

static void start(struct prediction *prediction)
{
	memset(prediction, 0, sizeof *prediction);
	prediction->f = NAN;
}

void prediction_free(struct prediction *prediction)
{
	free(prediction->experiment);
	free(prediction->what_if);
	free(prediction->points);
	free(prediction->pairs);
	free(prediction->rows);
	start(prediction);
}

int prediction_from_f(double f, struct prediction *prediction, struct error *err)
{
	start(prediction);
	prediction->f = f;
	prediction->experiment = strdup("");
	prediction->what_if = strdup("");
	return prediction->experiment && prediction->what_if ? 0 : error_out_of_memory(err);
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

/* What one thread does, by its runs or by an estimate. */
struct baseline {
	double throughput;    /* work a second */
	double blas_per_work; /* ns */
};

/* By the fastest calls of the row's runs. NAN where there is no telling. */
static struct baseline estimate_baseline(const struct run *runs, const struct report *report,
					 const struct report_row *row,
					 struct prediction *prediction)
{
	struct baseline base = {NAN, NAN};
	struct f1_estimate estimate;
	size_t count;
	struct call_times *shapes = gather_shapes(runs, report, row->threads, &count);

	if (shapes && row->account.parallel == PARALLEL_CALLERS &&
	    !estimate_f1(shapes, count, RUN_HISTOGRAM_BUCKETS, run_bucket_low_ns,
			 row->account.caller_other_ns, &estimate)) {
		prediction->f = estimate.f;
		prediction->f_estimated = row->threads;
		base.throughput = row->account.work / (estimate.blas_ns + estimate.other_ns) * 1e9;
		base.blas_per_work = estimate.blas_ns / row->account.work;
	}
	free(shapes);
	return base;
}

static struct baseline find_baseline(const struct run *runs, const struct report *report,
				     struct prediction *prediction)
{
	const struct report_row *one = report_find_row(report, 1);

	prediction->f = report->f_models;
	if (!one)
		return estimate_baseline(runs, report, &report->rows[0], prediction);
	return (struct baseline){one->throughput, account_per_work(&one->account, CAT_BLAS)};
}

/* N - S = sum over the categories of N (xN - x1) / (bN + cN + oN + pN): of it, what BLAS lost. */
static void set_loss(const struct report_row *row, const struct baseline *base,
		     struct prediction *prediction)
{
	double all = 0;

	for (int category = 0; category < CAT_COUNT; category++)
		all += account_per_work(&row->account, category);
	prediction->lost = row->threads - row->throughput / base->throughput;
	prediction->lost_blas = row->threads *
				(account_per_work(&row->account, CAT_BLAS) - base->blas_per_work) /
				all;
}

/* Half the width of a measured speed-up's interval. */
static int speedup_half(const struct report *report, int threads, double *half)
{
	struct repeats base = {0}, point = {0};
	int failed = repeats_gather(report, 1, run_throughput, &base) ||
		     repeats_gather(report, threads, run_throughput, &point);

	if (!failed) {
		struct interval ratio =
			stats_ratio_interval(point.values, point.count, base.values, base.count);

		*half = threads > 1 ? (ratio.high - ratio.low) / 2 : NAN;
	}
	free(base.values);
	free(point.values);
	return failed;
}

/* The measured points, over what one thread does. */
static int add_points(const struct report *report, const struct baseline *base,
		      struct prediction *prediction)
{
	for (size_t i = 0; i < report->nrows; i++) {
		const struct report_row *row = &report->rows[i];
		double speedup = row->throughput / base->throughput;
		struct speedup_point *point;

		if (!isfinite(speedup))
			continue;
		point = array_add(&prediction->points, &prediction->npoints, sizeof *point);
		if (!point)
			return -1;
		*point = (struct speedup_point){row->threads, speedup, NAN};
		if (!prediction->f_estimated && speedup_half(report, row->threads, &point->half))
			return -1;
		set_loss(row, base, prediction); /* the last stays: the most threads */
	}
	return 0;
}

/* The sequence of the newest run in use at one thread that has one. */
static int copy_pairs(const struct run *runs, const struct report *report,
		      struct prediction *prediction)
{
	const struct run *from = NULL;

	for (size_t i = 0; i < report->nruns; i++)
		if (report->runs[i].used && report->runs[i].threads == 1 && runs[i].npairs)
			from = &runs[i];
	if (!from)
		return 0;
	prediction->pairs = calloc(from->npairs, sizeof *prediction->pairs);
	if (!prediction->pairs)
		return -1;
	for (size_t i = 0; i < from->npairs; i++)
		prediction->pairs[i] = (struct replay_pair){(float)from->pairs[i].gap_ns,
							    (float)from->pairs[i].service_ns};
	prediction->npairs = from->npairs;
	if (isnan(replay_blas_share(prediction->pairs, prediction->npairs)))
		prediction->npairs = 0;
	return 0;
}

static double shared_units_speedup(void *context, int n, double m)
{
	const struct prediction *prediction = context;

	return prediction->npairs ? replay_speedup(prediction->pairs, prediction->npairs, n, m,
						   PREDICT_ARRIVALS)
				  : model_queue(prediction->f, n, m);
}

static void fit_models(struct prediction *prediction)
{
	prediction->has_fit =
		!prediction->inner &&
		!fit_units(prediction->points, prediction->npoints, shared_units_speedup,
			   prediction, UNITS_TOLERANCE, &prediction->fit);
	prediction->has_usl = !usl_fit(prediction->points, prediction->npoints, &prediction->usl);
}

/* Takes what the report says of its runs. -1 with *err. */
static int learn(const struct run *runs, const struct report *report, struct prediction *prediction,
		 struct error *err)
{
	const struct report_row *last = report->rows + report->nrows - 1;
	struct baseline base;

	if (!report->nrows)
		return error_set(err, "record a program that calls BLAS, or give f with --f",
				 "no run of '%s' has a BLAS call", report->experiment);
	prediction->cpus_available = last->cpus_available;
	prediction->inner = last->account.parallel == PARALLEL_INNER;
	base = find_baseline(runs, report, prediction);
	if (isnan(prediction->f))
		return error_set(err, "record a run with one thread, or give f with --f",
				 "the runs of '%s' do not tell f at one thread",
				 report->experiment);
	if (add_points(report, &base, prediction) || copy_pairs(runs, report, prediction))
		return error_out_of_memory(err);
	fit_models(prediction);
	return 0;
}

int prediction_from_runs(const struct run *runs, size_t count, struct prediction *prediction,
			 struct error *err)
{
	static const struct report_options options = REPORT_OPTIONS_DEFAULT;
	struct report report;
	size_t used;
	struct run *alike = runs_alike(runs, count, &used);
	int failed;

	start(prediction);
	if (!alike)
		return error_out_of_memory(err);
	failed = report_build(alike, used, &options, &report, err);
	if (!failed) {
		prediction->runs = used;
		prediction->runs_other = count - used;
		prediction->experiment = strdup(report.experiment);
		prediction->what_if = strdup(alike[used - 1].what_if);
		failed = prediction->experiment && prediction->what_if
				 ? learn(alike, &report, prediction, err)
				 : error_out_of_memory(err);
		report_free(&report);
	}
	free(alike);
	return failed;
}

static const struct speedup_point *find_point(const struct prediction *prediction, int threads)
{
	for (size_t i = 0; i < prediction->npoints; i++)
		if (prediction->points[i].threads == threads)
			return &prediction->points[i];
	return NULL;
}

static void set_measured(const struct prediction *prediction, struct prediction_row *row)
{
	const struct speedup_point *point = find_point(prediction, row->threads);
	struct interval usl = {NAN, NAN, NAN};

	row->measured = point ? point->speedup : NAN;
	row->measured_low = point ? point->speedup - point->half : NAN;
	row->measured_high = point ? point->speedup + point->half : NAN;
	if (prediction->has_usl)
		usl = usl_speedup(&prediction->usl, row->threads);
	row->usl = usl.value;
	row->usl_low = usl.low;
	row->usl_high = usl.high;
}

static void add_row(struct prediction *prediction, int threads, double units, int fitted)
{
	struct prediction_row *row = &prediction->rows[prediction->nrows++];

	row->experiment = prediction->experiment;
	row->threads = threads;
	row->cpus_available = prediction->cpus_available;
	row->units = units;
	row->units_fitted = fitted;
	row->f = prediction->f;
	row->f_estimated = prediction->f_estimated;
	for (size_t i = 0; i < REPORT_MODELS; i++)
		row->predicted[i] = models[i].speedup(prediction->f, threads, units);
	row->replay = prediction->npairs ? shared_units_speedup(prediction, threads, units) : NAN;
	set_measured(prediction, row);
}

int prediction_build_rows(struct prediction *prediction, const struct prediction_grid *grid,
			  struct error *err)
{
	int fitted = prediction->has_fit && prediction->fit.result == UNITS_FITTED;
	size_t columns = grid->nunits + (size_t)fitted;

	if (grid->nthreads * columns > PREDICTION_ROWS_MAX)
		return error_set(err, "ask for fewer thread counts or units",
				 "%zu thread counts with %zu units make more than %d predictions",
				 grid->nthreads, columns, PREDICTION_ROWS_MAX);
	prediction->rows = calloc(grid->nthreads * columns + 1, sizeof *prediction->rows);
	if (!prediction->rows)
		return error_out_of_memory(err);
	for (size_t i = 0; i < columns; i++)
		for (size_t j = 0; j < grid->nthreads; j++)
			add_row(prediction, grid->threads[j],
				i < grid->nunits ? grid->units[i] : prediction->fit.units,
				i == grid->nunits);
	return 0;
}
