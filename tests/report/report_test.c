/* report_test.c: the report's figures against those worked out by hand from runs with known
 * content. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "report/columns.h"
#include "report/scaling.h"
#include "tests/unit.h"

static struct run runs[4];

TEST(test_speedups_and_losses)
{
	const int64_t walls[] = {SECOND, SECOND * 65 / 100, SECOND * 60 / 100};
	const double blas[] = {0.55, 0.6, 0.7}, other[] = {0.45, 0.35, 0.2};

	for (int i = 0; i < 3; i++)
		fixture_run(&runs[i], 1 << i, walls[i], blas[i], other[i]);
	fixture_report(runs, 3);
	ck_assert_uint_eq(report.nrows, 3);
	ck_assert_double_eq_tol(report.scaling.f, 0.55, 1e-9);
	for (int i = 0; i < 3; i++) {
		const struct report_row *point = row_of(1 << i);
		double sum = 0;

		ck_assert_double_eq_tol(point->speedup, (double)walls[0] / (double)walls[i], 1e-6);
		ck_assert_double_eq_tol(point->account.f_intercepted,
					blas[i] / (blas[i] + other[i]), 1e-6);
		ck_assert_double_eq_tol(point->flops_per_s, 2e18 / (double)walls[i], 1);
		ck_assert_double_eq_tol(point->throughput, point->flops_per_s, 1);
		for (int category = 0; category < CAT_COUNT; category++)
			sum += point->lost.lost[category];
		ck_assert_double_eq_tol(sum, (1 << i) - point->speedup, 1e-6);
		for (size_t model = 0; model < MODELS && models[model].speedup; model++)
			ck_assert_double_eq_tol(point->predicted[model],
						models[model].speedup(0.55, 1 << i, point->units),
						1e-9);
	}
}

static void add_counter(struct run *run, const char *event, double blas, double other)
{
	struct run_counter *counter = &run->counters[run->ncounters++];

	strcpy(counter->event, event);
	counter->counted = 1;
	counter->blas = blas;
	counter->other = other;
	counter->count = blas + other + 1e6;
	counter->outside = 1e6;
}

/* With twice the threads: 1.25 times the instructions, two thirds of the IPC and 0.9 times the
 * clock rate. */
TEST(test_efficiencies)
{
	const double cycles = 1e9 * 1.25 * 1.5;

	for (int i = 0; i < 2; i++) {
		fixture_run(&runs[i], i + 1, (int64_t)((i ? 1.2 : 1) * SECOND), 0.5, 0.4);
		for (int j = 0; j <= i; j++) {
			runs[i].threads[j].times.blas_waiting_ns = 0;
			if (!i)
				continue;
			runs[i].threads[j].times.ns[CAT_OTHER] =
				(int64_t)(0.9 * (double)SECOND * 1.25 * 1.5 / 0.9 / 2) -
				runs[i].threads[j].times.ns[CAT_BLAS];
			runs[i].threads[j].times.ns[CAT_WAITING] =
				runs[i].roi_ns - runs[i].threads[j].times.ns[CAT_OTHER] -
				runs[i].threads[j].times.ns[CAT_BLAS];
		}
		runs[i].counters = calloc(2, sizeof *runs[i].counters);
		add_counter(&runs[i], "instructions", 1e9, i ? 1.5e9 : 1e9);
		add_counter(&runs[i], "cycles", 4e8, i ? cycles - 4e8 : 6e8);
	}
	fixture_report(runs, 2);
	ck_assert_double_eq_tol(row_of(2)->speedup,
				2 * row_of(2)->efficiency.global / row_of(1)->efficiency.global,
				1e-9);
	ck_assert_double_eq_tol(row_of(2)->instruction_scaling, 0.8, 1e-6);
	ck_assert_double_eq_tol(row_of(2)->ipc_scaling, 2.0 / 3, 1e-6);
	ck_assert_double_eq_tol(row_of(2)->frequency_scaling, 0.9, 1e-6);
	ck_assert_double_eq_tol(row_of(2)->efficiency.computation, 0.8 * 2 / 3 * 0.9, 1e-6);
	ck_assert_double_eq_tol(row_of(1)->frequency_scaling, 1, 1e-9);
	expect_text("POP's efficiencies: ");
}

TEST(test_units_reach_the_models)
{
	struct report_options options = {.units = 2};
	struct error err;

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 4, SECOND / 3, 0.5, 0.4);
	ck_assert(!report_build(runs, 2, &options, &report, &err));
	ck_assert_double_eq_tol(row_of(4)->predicted[1], 4, 1e-9); /* min(4, 2 / 0.5) */
	report_free(&report);
	options.units = -1;
	ck_assert_int_eq(report_build(runs, 2, &options, &report, &err), -1);
	ck_assert(strstr(err.what, "units") && *err.remedy);
	ck_assert_int_eq(report_build(runs, 0, &options, &report, &err), -1);
	for (int i = 0; i < 2; i++)
		run_free(&runs[i]);
}

static const struct field *thread_column(const char *name)
{
	const struct table *threads = report_table_find("threads");

	for (size_t i = 0; i < threads->nfields; i++)
		if (!strcmp(threads->fields[i].name, name))
			return &threads->fields[i];
	ck_abort_msg("no column %s", name);
}

TEST(test_columns_follow_the_models)
{
	static const struct {
		const char *end;
		size_t offset, size;
	} ends[] = {
		{"", offsetof(struct report_row, predicted[0]), sizeof(double)},
		{"_low", offsetof(struct report_row, predicted_range[0].low),
		 sizeof(struct report_range)},
		{"_high", offsetof(struct report_row, predicted_range[0].high),
		 sizeof(struct report_range)},
	};
	char name[64];

	for (size_t i = 0; i < MODELS; i++)
		for (size_t j = 0; j < sizeof ends / sizeof ends[0]; j++) {
			snprintf(name, sizeof name, "speedup_%s%s", models[i].name, ends[j].end);
			ck_assert_uint_eq(thread_column(name)->offset,
					  ends[j].offset + i * ends[j].size);
		}
}

TEST(test_equal_thread_counts_are_summed)
{
	for (int i = 0; i < 3; i++)
		fixture_run(&runs[i], 2, (i + 1) * SECOND, 0.5, 0.4);
	fixture_report(runs, 3);
	ck_assert_uint_eq(report.nrows, 1);
	ck_assert_int_eq(report.rows[0].runs, 3);
	ck_assert_double_eq_tol(report.rows[0].account.wall_ns, 6e9, 1);
	ck_assert_double_eq_tol(report.rows[0].account.calls, 3600, 0.5);
	ck_assert_double_eq_tol(report.rows[0].throughput, 1e9, 1);
	ck_assert_uint_eq(report.nshapes, 2);
	ck_assert_double_eq_tol((double)report.shapes[0].sum.calls, 2700, 0.5);
	ck_assert_double_eq_tol(report.shapes[0].share, 0.75, 1e-6);
	ck_assert_uint_eq(report.nfunctions, 3);
	ck_assert_double_eq_tol((double)report.functions[1].sum.samples, 900, 0.5);
	ck_assert_double_eq_tol(report.functions[1].share, 0.3, 1e-9);
	ck_assert_uint_eq(report.nthreads, 2);
	ck_assert_double_eq_tol(report.threads[0].alive_ns, 3e9, 0.5);
}

/* Without a measured speed-up, predictions use an estimate, and the report says so. */
static void check_estimates(void)
{
	ck_assert_int_eq(report.scaling.f_estimated, 2);
	ck_assert_double_lt(report.scaling.f, report.rows[0].account.f_intercepted);
	for (size_t i = 0; i < report.nrows; i++) {
		const struct report_row *point = &report.rows[i];

		ck_assert(isnan(point->speedup));
		ck_assert_int_eq(point->f_estimated, 1);
		for (size_t model = 0; model < MODELS && models[model].speedup; model++)
			ck_assert_double_eq_tol(point->predicted[model],
						models[model].speedup(report.scaling.f,
								      point->threads, point->units),
						1e-9);
	}
}

TEST(test_without_one_thread_f_is_estimated)
{
	fixture_run(&runs[0], 2, SECOND, 0.5, 0.4);
	fixture_run(&runs[1], 4, SECOND, 0.5, 0.4);
	fixture_report(runs, 2);
	check_estimates();
	expect_next_command("blasprof -- ./train 1");
	expect_text("for the speed-up run: blasprof -- ./train 1\n");
	expect_text("from d = ~0.");
	expect_text(" ~1.");
}

/* The command does not contain a thread count that was seen. */
static const struct {
	int threads;
	const char *command, *object, *next;
} without_count[] = {
	{1, "./fit", NULL, "OPENBLAS_NUM_THREADS=2 blasprof -- ./fit"},
	{2, "./fit 8", NULL, "blasprof -t 1,2 --threads-env=VARIABLE -- ./fit 8"},
	{2, "./fit", "/lib/libgomp.so.1", "blasprof -t 1,2 --threads-env=OMP_NUM_THREADS -- ./fit"},
};

TEST(test_next_command)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_report(runs, 1);
	expect_next_command("blasprof -- ./train 2");
	for (size_t i = 0; i < COUNT(without_count); i++) {
		fixture_run(&runs[0], without_count[i].threads, SECOND, 0.5, 0.5);
		strcpy(runs[0].experiment, without_count[i].command);
		strcpy(runs[0].command, without_count[i].command);
		if (without_count[i].object)
			fixture_function(&runs[0], "loop", without_count[i].object);
		fixture_report(runs, 1);
		expect_next_command(without_count[i].next);
	}
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.5, 0.5);
	fixture_report(runs, 2);
	expect_next_command(NULL);
}

TEST(test_failed_runs)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 1, SECOND / 10, 0.9, 0.1);
	runs[1].exit_status = 139;
	fixture_run(&runs[2], 2, SECOND, 0.5, 0.5);
	runs[2].exit_status = 1;
	fixture_report(runs, 3);
	ck_assert_int_eq(row_of(1)->runs, 1);
	ck_assert_double_eq_tol(report.scaling.f, 0.5, 1e-9);
	ck_assert_int_eq(row_of(1)->failed, 0);
	ck_assert_int_eq(row_of(2)->failed, 1);
	ck_assert_int_eq(report.runs[1].used, 0);
}

TEST(test_a_run_without_calls)
{
	char *text;

	run_init(&runs[0]);
	runs[0].experiment = strdup("true");
	runs[0].command = strdup("true");
	fixture_report(runs, 1);
	ck_assert_uint_eq(report.nrows, 0);
	ck_assert_ptr_nonnull(fixture_warning("no_calls"));
	expect_text("no BLAS call was seen\n");
	expect_text("true (a run that is not stored, ");
	expect_no_text("nan");
	expect_no_text("inf ");
	text = fixture_written("csv", "threads");
	ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
	free(text);
}

TEST(test_quantiles)
{
	struct run_shape *shape;

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	shape = &runs[0].shapes[0];
	shape->total_ns = SECOND;
	shape->min_ns = 1000;
	shape->max_ns = 800000;
	fixture_calls(shape, run_bucket(1000), 90, run_bucket(700000), 10);
	fixture_report(runs, 1);
	ck_assert_double_ge(report.shapes[0].p50_ns, 1000);
	ck_assert_double_le(report.shapes[0].p50_ns, 1000 * exp2(0.25));
	ck_assert_double_ge(report.shapes[0].p95_ns, 700000 / exp2(0.25));
	ck_assert_double_le(report.shapes[0].p95_ns, 800000);
}

/* LAPACK's calls have a time but no flops: a quarter of the time with one thread, and a fortieth
 * with two. */
TEST(test_no_rate_where_flops_are_not_known)
{
	for (int i = 0; i < 2; i++) {
		fixture_run(&runs[i], i + 1, SECOND, 0.5, 0.5);
		strcpy(runs[i].shapes[1].shape.way, "lapack");
	}
	runs[1].shapes[1].total_ns /= 13;
	fixture_report(runs, 2);
	ck_assert_double_nan(row_of(1)->flops_per_s);
	ck_assert_double_gt(row_of(2)->flops_per_s, 0);
}

TEST(test_gathered_shapes_and_missing_arguments)
{
	char *text;

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	runs[0].shapes[0].shape.other_shapes = 1;
	runs[0].shapes[0].shape.m = 0;
	runs[0].shapes[1].shape.transa = runs[0].shapes[1].shape.transb = '-';
	fixture_calls(&runs[0].shapes[1], 0, 0, 0, 0);
	fixture_report(runs, 1);
	text = fixture_written("csv", "shapes");
	ck_assert_msg(strstr(text, "\r\n1,cblas_sgemm,N,T,,,,900,") != NULL, "%s", text);
	ck_assert_msg(
		strstr(text, "\r\n1,cblas_sgemm,,,128,64,64,300,125000000,208333,,,833332,") !=
			NULL,
		"%s", text);
	free(text);
}
