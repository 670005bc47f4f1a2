/* predict_test.c: predictions from runs with known content and from given numbers. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "described_run.h"
#include "fixture.h"
#include "report/build.h"
#include "report/predict.h"
#include "report/scaling.h"
#include "write/format.h"
#include "tests/unit.h"

#define RUNS 9

static struct run runs[RUNS];
static size_t nruns;
static struct prediction prediction;
static const struct scaling *const scaling = &prediction.report.scaling;
static int threads[] = {1, 2, 4}, units[] = {1, 2};
static const struct prediction_grid grid = {threads, units, 3, 2};

static struct run *add_run(int n, double wall_s, double blas, double other)
{
	fixture_run(&runs[nruns], n, (int64_t)(wall_s * 1e9), blas, other);
	return &runs[nruns++];
}

static void predict(void)
{
	struct error err = {.what = ""};

	ck_assert_msg(!prediction_from_runs(runs, nruns, &prediction, &err), "%s", err.what);
	ck_assert_msg(!prediction_build_rows(&prediction, &grid, &err), "%s", err.what);
}

static void free_all(void)
{
	prediction_free(&prediction);
	while (nruns)
		run_free(&runs[--nruns]);
}

FIXTURE(NULL, free_all)

static const struct prediction_row *find_row(int n, double m)
{
	EACH_ROW(row, prediction.rows, prediction.nrows)
		if (row->threads == n && row->units.value == m)
			return row;
	ck_abort_msg("no row for %d threads on %g units", n, m);
}

static void check_text(const char *wanted)
{
	ck_assert_has(fixture_table_written(prediction_write, TABLE_TEXT, &prediction), wanted);
}

TEST(test_given_f)
{
	prediction_from_f(0.55, &prediction);
	ck_assert_int_eq(prediction_build_rows(&prediction, &grid, NULL), 0);
	ck_assert_uint_eq(prediction.nrows, 6);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 2; j++) {
			const struct prediction_row *row = find_row(threads[i], units[j]);

			for (size_t k = 0; k < MODELS && models[k].speedup; k++)
				ck_assert_double_eq(row->predicted[k].value,
						    models[k].speedup(0.55, threads[i], units[j]));
			ck_assert_double_nan(row->measured.value);
			ck_assert_double_nan(row->predicted[MODEL_REPLAY].value);
			ck_assert_double_nan(row->predicted[MODEL_USL].value);
		}
	check_text("f        0.550 at one thread, as given\n");
}

/* Three rounds at 1, 2 and 4 threads with the speed-ups that queue predicts for one unit. */
static void add_queueing_rounds(void)
{
	const double noise[] = {0.99, 1, 1.01};

	for (int i = 0; i < 3; i++)
		for (int n = 1; n <= 4; n *= 2) {
			double speedup = model_queue(0.55, n, 1);

			add_run(n, noise[i] / speedup, 1 - 0.45 * speedup / n, 0.45 * speedup / n);
		}
}

TEST(test_fits_one_unit)
{
	const struct prediction_row *row;
	struct interval range;
	const char *text;

	add_queueing_rounds();
	predict();
	ck_assert_double_eq_tol(scaling->f.value, 0.55, 1e-6);
	ck_assert_int_eq(scaling->f_estimated, 0);
	ck_assert_int_eq(scaling->has_fit && scaling->fit.result == UNITS_FITTED, 1);
	ck_assert_double_eq_tol(scaling->fit.units, 1, 1e-6);
	text = scaling_fit_text(scaling);
	ck_assert_msg(!strncmp(text, "behaves like 1.0 shared unit (", 30), "%s", text);
	row = find_row(4, 1);
	ck_assert_double_eq_tol(row->measured.value, model_queue(0.55, 4, 1), 1e-6);
	range = report_find_row(&prediction.report, 4)->speedup_range;
	ck_assert_double_gt(range.high, range.low);
	ck_assert_double_eq_tol(row->measured.high - row->measured.value,
				(range.high - range.low) / 2, 1e-9);
	ck_assert_double_eq_tol(row->measured.low + row->measured.high, 2 * row->measured.value,
				1e-9);
	/* the law has two parameters, and there are two points */
	ck_assert_double_eq_tol(find_row(2, 2)->predicted[MODEL_USL].value, row[-1].measured.value,
				1e-3);
	ck_assert_uint_eq(prediction.nrows, 9); /* two units, and the fitted one */
	check_text(" 4*");
	check_text("more threads than the 2 CPUs");
	check_text("95 % interval");
}

/* Without units in the grid, predictions are for the fitted ones, which one thread does not share.
 * They are the same with and without other units.
 */
TEST(test_fitted_units_alone)
{
	const struct prediction_grid fitting = {threads, NULL, 3};
	struct prediction_row fitted;

	add_queueing_rounds();
	predict();
	fitted = prediction.rows[prediction.nrows - 1];
	ck_assert_int_eq(fitted.units_fitted, 1);
	prediction.nrows = 0;
	free(prediction.rows);
	ck_assert_int_eq(prediction_build_rows(&prediction, &fitting, NULL), 0);
	ck_assert_uint_eq(prediction.nrows, 3);
	ck_assert_int_eq(prediction.rows[0].units_fitted, 0);
	ck_assert_int_eq(prediction.rows[1].units_fitted, 1);
	ck_assert_double_eq(prediction.rows[2].units.low, fitted.units.low);
	ck_assert_double_eq(prediction.rows[2].predicted[MODEL_QUEUE].low,
			    fitted.predicted[MODEL_QUEUE].low);
	check_text("    none ");
	check_text("1.00 fitted");
}

/* Every figure from repeated runs has an interval around it: f, the fitted units and each model. */
TEST(test_intervals)
{
	const double noise[] = {-0.004, 0, 0.004};

	for (int i = 0; i < 3; i++) {
		add_run(1, 1 + noise[i], 0.55 + noise[i], 0.45 - noise[i]);
		add_run(2, 0.65 - noise[i], 0.6, 0.35);
	}
	predict();
	EACH_ROW(row, prediction.rows, prediction.nrows) {
		ck_assert(row->f.low < row->f.value && row->f.value < row->f.high);
		if (row->units_fitted)
			ck_assert(row->units.low < row->units.value &&
				  row->units.value < row->units.high);
		else
			ck_assert(isnan(row->units.low) && isnan(row->units.high));
		for (size_t k = 0; k < MODELS && models[k].speedup; k++)
			ck_assert(row->threads == 1
					  ? isnan(row->predicted[k].low)
					  : row->predicted[k].low <= row->predicted[k].value &&
						    row->predicted[k].value <=
							    row->predicted[k].high);
		if (row->threads > 1 && row->units.value < row->threads)
			ck_assert_double_lt(row->predicted[2].low, row->predicted[2].high);
	}
	check_text("f        0.550 ± 0.01");
}

static void check_fit_text(double speedup, int n, double f, const char *wanted)
{
	add_run(1, 1, f, 1 - f);
	add_run(n, 1 / speedup, f * speedup / n, (1 - f) * speedup / n);
	predict();
	ck_assert_str_eq(scaling_fit_text(scaling), wanted);
	free_all();
}

TEST(test_fit_texts)
{
	static int many[PREDICTION_ROWS_MAX / 2 + 1];
	const struct prediction_grid too_many = {many, units, COUNT(many), 2};
	struct scaling open_end = {
		.has_fit = 1,
		.fit = {.result = UNITS_FITTED, .units = 1.5, .low = 1.2, .high = INFINITY},
	};
	struct error err;

	ck_assert_str_eq(scaling_fit_text(&open_end),
			 "behaves like 1.5 shared units (1.2 or more)");
	check_fit_text(2, 2, 0.55, "no shared unit seen");
	check_fit_text(2, 2, 0.02, "cannot be seen at these thread counts");
	check_fit_text(1.5, 2, 0.55, "behaves like 1.0 shared unit");
	check_fit_text(2.2, 4, 0.55, "behaves like 1.3 shared units");
	add_run(1, 1, 0.5, 0.5);
	predict();
	check_text("not fitted: needs a measured speed-up");
	ck_assert_int_eq(prediction_build_rows(&prediction, &too_many, &err), -1);
}

TEST(test_most_predictions)
{
	static int many[PREDICTION_ROWS_MAX / 2];
	const struct prediction_grid most = {many, units, COUNT(many), 2};

	prediction_from_f(0.55, &prediction);
	ck_assert_int_eq(prediction_build_rows(&prediction, &most, NULL), 0);
	ck_assert_uint_eq(prediction.nrows, PREDICTION_ROWS_MAX);
}

TEST(test_other_losses_are_no_units)
{
	add_run(1, 1, 0.5, 0.5);
	add_run(2, 0.9, 0.28, 0.28); /* the rest is waiting */
	predict();
	ck_assert_double_eq_tol(scaling->lost, 2 - 1 / 0.9, 1e-6);
	ck_assert_double_lt(scaling->lost_blas, 0.01);
	check_text("is in BLAS, so the units also stand for other");
	check_text("nothing is predicted from");
}

/* One caller and a thread whose samples are in BLAS: units that callers share make no sense. */
TEST(test_inner_has_no_units)
{
	struct run *run;

	add_run(1, 1, 0.5, 0.5);
	run = add_run(1, 0.75, 0.33, 0.67);
	change_run(run,
		   "threads_requested=2; +threads tid=999 samples_blas=400; facts blas_threads=2");
	predict();
	ck_assert_int_eq((int)scaling->input.meeting, MEET_ONE_CALLER);
	ck_assert_int_eq(scaling->has_fit, 0);
	check_text("not fitted: one caller");
	/* a third of the worker's computing is other code */
	change_run(run, "threads[1] samples_other=200 other_ns=100%%");
	prediction_free(&prediction);
	predict();
	check_text("one caller, with BLAS and 66 % of its other code on several threads");
}

/* A BLAS that is set to one thread has no workers, unless another library of the run may use
 * several.
 */
static const struct {
	const char *facts;
	int has_workers;
} settings[] = {
	{"blas_threads=2", 1},
	{"blas_threads=1", 0},
	{"blas_threads=1 blas_threads_first=2", 1},
	{"blas_threads=1 blas_2=oneDNN blas_layer_2=OpenMP", 1},
	{"blas_threads=1 blas_2=MKL blas_layer_2=TBB blas_threads_2=1", 0},
	{"blas_threads=1 blas_2=oneDNN blas_layer_2=sequential", 0},
	{"blas_threads=1 blas_2=Netlib", 0},
	{"blas_threads=1 blas_2=BLIS blas_threads_2=1 blas_threads_first_2=2", 1},
	{"blas_2=oneDNN blas_layer_2=OpenMP blas_threads=", 1},
};

TEST_EACH(test_workers_of_several_libraries, COUNT(settings))
{
	add_run(1, 1, 0.5, 0.5);
	change_run(add_run(1, 0.75, 0.33, 0.67),
		   "threads_requested=2; +threads tid=999 samples_blas=400; facts %s",
		   settings[_i].facts);
	predict();
	ck_assert_int_eq(scaling->input.meeting == MEET_ONE_CALLER, settings[_i].has_workers);
}

/* With calls of constant length two threads fall into step, which neither queue nor amdahl
 * predicts. */
TEST(test_replay)
{
	struct run *one = add_run(1, 1, 0.55, 0.45);

	add_run(2, 0.55, 0.55 / 1.1, 0.45 / 1.1);
	for (int i = 0; i < 1000; i++)
		fixture_pair(one, 45000, 55000);
	predict();
	ck_assert_double_eq_tol(find_row(2, 1)->predicted[MODEL_REPLAY].value, 1 / 0.55, 1e-3);
	ck_assert_double_eq_tol(find_row(4, 2)->predicted[MODEL_REPLAY].value, 2 / 0.55, 2e-2);
	ck_assert_double_eq_tol(find_row(2, 2)->predicted[MODEL_REPLAY].value, 2, 1e-9);
	ck_assert_double_eq_tol(scaling->fit.units, 1, 0.01);
	check_text("  replay");
}

/* Without a run at one thread: half of the calls take 1 ms, the others wait and take 3 ms. */
TEST(test_estimate)
{
	struct run *run = add_run(2, 1, 0.6, 0.4);
	const char *text;

	table_free_row(&run_tables[RUN_PART_SHAPES], &run->shapes[1]);
	run->nshapes = 1;
	change_run(run, "shapes calls=600 total_ns=1.2s min_ns=1ms max_ns=3ms");
	fixture_calls(run->shapes, run_bucket(1000000), 300, run_bucket(3000000), 300);
	predict();
	ck_assert_int_eq(scaling->f_estimated, 2);
	ck_assert_double_eq_tol(scaling->f.value, 0.6 / 1.4,
				0.02); /* 600 ms in BLAS and 800 ms in other code */
	ck_assert_double_eq_tol(find_row(2, 1)->measured.value, 1.4, 0.05);
	check_text("estimated from the fastest calls at 2 threads");
	text = fixture_table_written(prediction_write, TABLE_TEXT, &prediction);
	for (const char *line = strstr(text, "\n      2"); line; line = strstr(line + 1, "\n  "))
		ck_assert_msg(strstr(line, "~") != NULL, "no mark in %s", line);
}

TEST(test_what_if_is_kept_apart)
{
	struct error err;

	add_run(1, 1, 0.5, 0.5);
	add_run(2, 0.5, 0.5, 0.5);
	strcpy(add_run(2, 0.9, 0.7, 0.3)->what_if, "units=1");
	strcpy(add_run(1, 1, 0.4, 0.6)->what_if, "units=1");
	predict();
	ck_assert_double_eq_tol(scaling->f.value, 0.4, 1e-6);
	check_text("units=1: these runs were changed");
	for (int threads_left = 0; threads_left <= 1; threads_left++) {
		free_all();
		add_run(1, 1, 0.5, 0.5)->threads[0].calls = 0;
		runs[0].nthreads = (size_t)threads_left;
		ck_assert_int_eq(prediction_from_runs(runs, nruns, &prediction, &err), -1);
		ck_assert_has(err.what, "no run of './train {}' has a BLAS call");
	}
}

TEST(test_csv)
{
	const char *text;

	add_queueing_rounds();
	predict();
	text = fixture_table_written(prediction_write, TABLE_CSV, &prediction);
	ck_assert_msg(!strncmp(text, "experiment,threads,cpus_available,units,units_fitted,f,", 55),
		      "%s", text);
	ck_assert_has(text, "\r\n./train {},1,2,1,0,0.55");
	ck_assert_msg(strstr(text, "nan") == NULL, "%s", text);
}
