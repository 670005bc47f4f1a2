/* report_test.c: the report's figures against those worked out by hand from runs with known
 * content. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/string_pool.h"
#include "base/array.h"
#include "fixture.h"
#include "report/build.h"
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

static struct run_counter *add_counter(struct run *run, const char *event, double blas,
				       double other)
{
	struct run_counter *counter = table_add(&run_tables[RUN_PART_COUNTERS], run);

	strcpy(counter->event, event);
	counter->counted = 1;
	counter->blas = blas;
	counter->other = other;
	counter->kernel = 0;
	counter->count = blas + other + 1e6;
	counter->outside = 1e6;
	return counter;
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
		runs[0].experiment = without_count[i].command;
		runs[0].command = without_count[i].command;
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

/* The next run has a thread for each CPU. */
TEST(test_next_command_of_three_cpus)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	runs[0].cpus_available = 3.5;
	fixture_report(runs, 1);
	expect_next_command("blasprof -- ./train 3");
}

/* In a text of any size it ends inside, and before a command to be filled in options are whole or
 * left out. */
TEST_EACH(test_next_command_in_little_room, 3)
{
	char whole[1024], text[1024];

	fixture_run(&runs[0], 1 + !_i, SECOND, 0.5, 0.5);
	runs[0].experiment = string_pooled(_i == 1 ? "./train {} --size {}" : "./train");
	strcpy(runs[0].roi, "it's");
	run_add_fact(&runs[0], "work_pattern", "steps/s: ([0-9]+)");
	fixture_report(runs, 1);
	report.options.store = "some where.db";
	ck_assert(report_next_command(&report, whole, sizeof whole));
	ck_assert_ptr_nonnull(strstr(whole, " -i 'some where.db' --work 'steps/s: ([0-9]+)' "
					    "--roi 'it'\\''s'"));
	for (size_t size = 64; size < sizeof text; size++) {
		memset(text, 'x', sizeof text);
		ck_assert(report_next_command(&report, text, size));
		ck_assert_uint_lt(strlen(text), size);
		for (size_t i = size; i < sizeof text; i++)
			ck_assert_int_eq(text[i], 'x');
		if (_i == 2)
			continue;
		ck_assert(!strstr(text, " -i ") || strstr(text, " -i 'some where.db'"));
		ck_assert(!strstr(text, " --roi ") || strstr(text, " --roi 'it'\\''s'"));
	}
	ck_assert_str_eq(text, whole);
}

TEST(test_share_of_the_region)
{
	for (int i = 0; i < 2; i++) {
		fixture_run(&runs[i], 1 + i, SECOND, 0.5, 0.5);
		runs[i].cpu_ns = 10 * SECOND;
		runs[i].roi_cpu_ns = (4 + 5 * i) * SECOND;
	}
	fixture_report(runs, 2);
	ck_assert_double_eq_tol(report_roi_share(&report), 0.65, 1e-12);
	ck_assert_double_eq_tol(row_of(1)->roi_share, 0.4, 1e-12);
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_report(runs, 1);
	ck_assert_double_nan(report_roi_share(&report));
	ck_assert_double_nan(row_of(1)->roi_share);
}

TEST(test_which_region_is_marked)
{
	static const char *const names[] = {"", "blas", "process", "step"};

	for (int i = 0; i < COUNT(names); i++)
		ck_assert_int_eq(report_roi_is_region(names[i]), i == 3);
}

/* Of the newest run that has one, by process, thread and start; a region comes before the call that
 * is as long, and what is inside it after it. */
TEST(test_timeline)
{
	static const struct {
		int64_t pid, tid, start, end;
		const char *kind;
		int place;
	} spans[] = {
		{2, 1, 0, 5, "blas", 5}, {1, 2, 0, 5, "blas", 4},   {1, 1, 3, 4, "blas", 3},
		{1, 1, 2, 3, "blas", 2}, {1, 1, 2, 9, "region", 0}, {1, 1, 2, 9, "blas", 1},
	};

	for (int i = 0; i < 3; i++) {
		fixture_run(&runs[i], 1 + i, SECOND, 0.5, 0.5);
		runs[i].id = 10 + i;
		for (int j = 0; j < COUNT(spans) && i < 2; j++) {
			struct run_span *span = table_add(&run_tables[RUN_PART_SPANS], &runs[i]);

			span->pid = spans[j].pid;
			span->tid = spans[j].tid;
			span->start_ns = spans[j].start;
			span->end_ns = spans[j].end;
			strcpy(span->kind, spans[j].kind);
		}
	}
	fixture_report(runs, 3);
	ck_assert_int_eq(report.timeline.run, 11);
	ck_assert_str_eq(report.timeline.command, "./train 2");
	ck_assert_uint_eq(report.timeline.nthreads, 2);
	ck_assert_uint_eq(report.timeline.nspans, COUNT(spans));
	for (int i = 0; i < COUNT(spans); i++) {
		const struct run_span *span = &report.timeline.spans[spans[i].place];

		ck_assert_int_eq(span->pid, spans[i].pid);
		ck_assert_int_eq(span->tid, spans[i].tid);
		ck_assert_int_eq(span->start_ns, spans[i].start);
		ck_assert_int_eq(span->end_ns, spans[i].end);
		ck_assert_str_eq(span->kind, spans[i].kind);
	}
}

TEST(test_figures_of_runs)
{
	const struct report_run *row;

	fixture_run(&runs[0], 4, SECOND, 0.5, 0.4);
	for (int i = 0; i < 4; i++)
		runs[0].threads[i].own_ns = i == 3 ? -5 : 1000000;
	runs[0].threads[3].flops = NAN; /* a damaged store, as the time above */
	runs[0].samples_lost = 1;
	runs[0].samples_outside_roi = 2;
	runs[0].samples_unknown = 3;
	runs[0].throttled = 4;
	runs[0].cpu_ns = 5 * SECOND;
	runs[0].roi_cpu_ns = 6 * SECOND; /* no more than all */
	fixture_report(runs, 1);
	row = &report.runs[0];
	ck_assert_double_eq(row->own_ns, 3e6);
	ck_assert_double_eq(row->calls, 1200);
	ck_assert_double_eq(row->flops, 1.5e9);
	ck_assert_double_eq(row->call_ns, 12 + 15);
	ck_assert_double_eq(row->samples, 1000);
	ck_assert_double_eq(row->samples_lost, 1);
	ck_assert_double_eq(row->samples_outside_roi, 2);
	ck_assert_double_eq(row->samples_unknown, 3);
	ck_assert_double_eq(row->throttled, 4);
	ck_assert_double_eq(row->whole_ns, 1.1e9);
	ck_assert_double_eq(row->roi_share, 1);
	ck_assert_double_eq(row->callers_ns, 4e9);
	ck_assert_double_eq_tol(row->blocked_ns, 0.4e9, 10);
	ck_assert_double_eq_tol(row->on_cpu_ns, 4 * 0.85e9, 10);
	ck_assert_double_eq(report.threads[0].samples, 250);
	ck_assert_double_eq(report.threads[0].alive_ns, 1e9);
	ck_assert_str_eq(report.threads[0].role, "caller");
	ck_assert_int_eq(report.threads_run, 0);
}

/* A thread that computes for 1.9 ms need not be seen at 500 samples a second; one for 2.1 ms is,
 * and none where nothing is sampled. */
TEST_EACH(test_threads_without_samples, 3)
{
	fixture_run(&runs[0], 2, SECOND, 0.5, 0.5);
	runs[0].sample_rate_hz = _i == 2 ? 0 : 500;
	runs[0].threads[1].samples_blas = runs[0].threads[1].samples_other = 0;
	runs[0].threads[1].times.ns[CAT_BLAS] = runs[0].threads[1].times.blas_waiting_ns = 0;
	runs[0].threads[1].times.ns[CAT_OTHER] = _i == 1 ? 2100000 : 1900000;
	fixture_report(runs, 1);
	ck_assert_uint_eq(report.nrows, 1);
	ck_assert_double_eq(report.rows[0].unsampled_threads, _i == 0);
	ck_assert_double_eq(report.rows[0].unsampled_ns, _i == 0 ? 1.9e6 : 0);
	ck_assert_double_eq(report.rows[0].on_cpu_ns, 0.95e9 + (_i == 1 ? 2.1e6 : 1.9e6));
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
	runs[0].experiment = "true";
	runs[0].command = "true";
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

/* Of N threads together 10 + 5 (N - 1) GFLOP/s and GB/s of memory, and half of it in double. */
#define CEILINGS                                                                                   \
	"cpus=8 peak_single_1=10e9 peak_single_all=45e9 peak_double_1=5e9 "                        \
	"peak_double_all=22.5e9 memory_1=10e9 memory_all=45e9"

static const struct {
	int callers, workers, threads;
	double rate;	  /* of one call, in 1e9/s */
	int64_t least_ns; /* of the routine's other shape */
	const char *bound;
} rooflines[] = {
	{1, 0, 1, 10, 600, "latency"},		 /* of its 1,000 ns, 600 may be start-up */
	{2, 4, 2, 3 * 35 / 6.0, 400, "compute"}, /* 3 at work on each call */
	{1, 2, 3, 20, 600, "latency"},
	{4, 0, 4, 25 / 4.0, 400, "compute"},
};

/* 300 calls of 1,000 flops and 500 bytes each, and their share of what the threads can have. */
TEST(test_roofline)
{
	for (int i = 0; i < COUNT(rooflines); i++) {
		struct run *run = &runs[i];
		struct run_shape *other;

		fixture_run(run, rooflines[i].callers, SECOND, 0.5, 0.5);
		for (int j = 0; j < rooflines[i].workers; j++) {
			struct run_thread *worker = run_add_thread(run);

			worker->pid = 100;
			worker->tid = 200 + j;
			worker->end_ns = run->roi_ns;
			worker->samples_blas = 500;
		}
		run_add_fact(run, "blas_threads", "3");
		run_add_fact(run, "ceilings", CEILINGS);
		run->shapes[0].min_ns = rooflines[i].least_ns;
		run->shapes[1].min_ns = 900;
		run->shapes[1].total_ns = 300 * 1000;
		run->shapes[1].flops = 300 * 1000;
		run->shapes[1].bytes = 300 * 500;
		other = table_add(&run_tables[RUN_PART_SHAPES], run);
		strcpy(other->shape.routine, "cblas_dgemm"); /* its calls are shorter */
		other->calls = 10;
		other->min_ns = 1;
		other->total_ns = 100;
	}
	fixture_report(runs, COUNT(rooflines));
	for (int i = 0; i < COUNT(rooflines); i++) {
		int threads = rooflines[i].threads, seen = 0;

		EACH_ROW(shape, report.shapes, report.nshapes) {
			if (shape->threads != threads || shape->sum.shape.m != 128)
				continue;
			ck_assert_str_eq(shape->bound, rooflines[i].bound);
			ck_assert_str_eq(shape->level, "memory");
			ck_assert_double_eq_tol(shape->roofline.share, 1 / rooflines[i].rate, 1e-9);
			ck_assert_double_eq_tol(shape->roofline.intensity, 2, 1e-12);
			seen++;
		}
		EACH_ROW(row, report.ceiling_rows, report.nceiling_rows) {
			int is_memory = !strcmp(row->ceiling, "memory");
			double rate = rooflines[i].rate * 1e9;

			if (row->threads != threads)
				continue;
			seen++;
			rate = strcmp(row->ceiling, "double") ? rate : rate / 2;
			ck_assert_double_eq_tol(is_memory ? row->bytes_per_s : row->flops_per_s,
						rate, 1);
			ck_assert(isnan(is_memory ? row->flops_per_s : row->bytes_per_s));
		}
		ck_assert_int_eq(seen, 1 + 3);
	}
}

static void add_part(struct run *run, int64_t tid, const char *event, double blas, double other,
		     double kernel)
{
	struct run_thread_counter *part = table_add(&run_tables[RUN_PART_THREAD_COUNTERS], run);

	strcpy(part->event, event);
	part->pid = 100;
	part->tid = tid;
	part->blas = blas;
	part->other = other;
	part->kernel = kernel;
}

static const struct report_counter *counter_of(int threads, const char *event)
{
	const struct report_counter *counter = report_find_counter(&report, threads, event);

	ck_assert_ptr_nonnull(counter);
	return counter;
}

/* Two runs of one thread, and one of two. */
TEST(test_counters)
{
	const struct report_counter *cycles, *instructions, *energy;

	for (int i = 0; i < 3; i++) {
		struct run *run = &runs[i];

		fixture_run(run, 1 + i / 2, SECOND, 0.5, 0.4);
		add_counter(run, "cycles:u", 4e6, 5e6)->kernel = 1e6;
		add_counter(run, "instructions", 12e6, 6e6)->counted = i ? 0.5 : 1;
		strcpy(add_counter(run, "energy-pkg", NAN, NAN)->unit, "Joules");
		run->counters[run->ncounters - 1].count = 110;
		if (i < 2)
			add_counter(run, "missed", 0, 0)->outside = NAN;
		run->elapsed_ns = run->roi_ns * 11 / 10;
		add_part(run, 100, "cycles:u", 300, 100, 10);
		add_part(run, 998, "cycles:u", 30, 20, 10); /* as much in BLAS as elsewhere */
		add_part(run, 999, "cycles:u", 31, 20, 10);
		add_part(run, 999, "instructions", 31, 20, 10);
	}
	runs[2].elapsed_ns = SECOND / 2;     /* a damaged store: no more than all of it is inside */
	run_add_thread(&runs[2])->tid = 102; /* that makes no call */
	runs[2].threads[2].pid = 100;
	add_part(&runs[2], 102, "cycles:u", 0, 0, 5);
	fixture_report(runs, 3);
	ck_assert_uint_eq(report.ncounters, 4 + 3);
	cycles = counter_of(1, "CYCLES");
	instructions = counter_of(1, "instructions");
	energy = counter_of(1, "energy-pkg");
	/* as asked for, of the fewest threads first */
	ck_assert_ptr_eq(cycles, &report.counters[0]);
	ck_assert_ptr_eq(instructions, &report.counters[1]);
	ck_assert_ptr_eq(energy, &report.counters[2]);
	ck_assert_ptr_eq(counter_of(2, "cycles"), &report.counters[4]);
	ck_assert_ptr_null(report_find_counter(&report, 1, "cycle"));
	ck_assert_int_eq(cycles->runs, 2);
	ck_assert_double_eq(cycles->callers, 2 * 410);
	ck_assert_double_eq(cycles->workers, 2 * 61);
	ck_assert_double_eq(cycles->others, 2 * 60);
	ck_assert_double_eq(counter_of(2, "cycles")->others, 60 + 5);
	ck_assert_double_nan(energy->callers);
	ck_assert_double_eq(instructions->workers, 2 * 61);
	ck_assert_double_eq(instructions->callers, 0);
	ck_assert_double_eq(instructions->sum.counted, 0.5);
	ck_assert_double_eq(counter_of(2, "instructions")->sum.counted, 0.5);
	ck_assert_double_eq_tol(instructions->per_work, 18e6 / 2e9, 1e-12);
	ck_assert_double_eq_tol(counter_of(1, "missed")->per_work, 1e6 / 2e9, 1e-12);
	ck_assert_double_eq_tol(instructions->per_cycle, 1.9, 1e-12);
	ck_assert_double_eq_tol(instructions->per_cycle_blas, 3, 1e-12);
	ck_assert_double_eq_tol(instructions->per_cycle_other, 1.2, 1e-12);
	ck_assert_double_nan(cycles->per_cycle);
	ck_assert_double_nan(energy->per_cycle);
	/* of 220 J a tenth of the region's time lies outside */
	ck_assert(report_counter_is_energy(energy) && !report_counter_is_energy(cycles));
	ck_assert_double_eq_tol(energy->sum.blas, 100, 1e-6);
	ck_assert_double_eq_tol(energy->sum.other, 80, 1e-6);
	ck_assert_double_eq_tol(energy->waiting, 20, 1e-6);
	ck_assert_double_eq_tol(energy->sum.outside, 20, 1e-6);
	ck_assert_str_eq(energy->sum.split, "time");
	ck_assert_double_eq_tol(energy->per_work, 200 / 4e9, 1e-12);
	ck_assert_double_eq_tol(counter_of(2, "energy-pkg")->sum.outside, 0, 1e-6);
	ck_assert_double_eq_tol(counter_of(2, "energy-pkg")->sum.blas, 55, 1e-6);
	ck_assert_double_nan(cycles->waiting);
}

/* The sums have the events' names in common, and no BLAS call tells how many threads there are. */
TEST(test_counters_without_calls)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.4);
	runs[0].threads[0].calls = 0;
	add_counter(&runs[0], "instructions", 12e6, 6e6)->counted = NAN;
	add_counter(&runs[0], "cycles", -1e6, 0);
	fixture_report(runs, 1);
	ck_assert_uint_eq(report.ncounters, 2);
	ck_assert_int_eq(report.counters[0].threads, 0);
	ck_assert_double_eq(report.counters[0].sum.counted, 0);
	ck_assert_double_nan(report.counters[0].per_work);
	ck_assert_double_nan(report.counters[0].per_cycle); /* of none at all */
	ck_assert_double_nan(report.counters[0].per_cycle_blas);
	ck_assert_double_nan(report.counters[0].per_cycle_other);
}

TEST(test_counters_of_shapes)
{
	static const struct {
		const char *event;
		int64_t m;
		uint64_t calls;
		double count, per_call, per_cycle;
	} rows[] = {
		{"cycles:u", 64, 100, 4000, 40, NAN},
		{"instructions", 64, 50, 6000, 120, 1.5},
		{"cycles_other", 64, 50, 600, 12, 0.15},
		{"instructions", 128, 0, 6000, NAN, NAN},
	};
	int seen = 0;

	for (int i = 0; i < 2; i++) {
		fixture_run(&runs[i], 1 + i, SECOND, 0.5, 0.4);
		for (int j = 0; j < COUNT(rows) - 3 * i; j++) { /* of two threads without cycles */
			const int from = i ? 1 : j;
			struct run_shape_counter *row =
				table_add(&run_tables[RUN_PART_SHAPE_COUNTERS], &runs[i]);

			row->shape = runs[i].shapes[0].shape;
			row->shape.m = rows[from].m;
			strcpy(row->event, rows[from].event);
			row->calls = rows[from].calls;
			row->count = rows[from].count;
		}
	}
	fixture_report(runs, 2);
	ck_assert_uint_eq(report.nshape_counters, COUNT(rows) + 1);
	EACH_ROW(row, report.shape_counters, report.nshape_counters)
		for (int i = 0; i < COUNT(rows); i++) {
			double per_cycle = row->threads == 1 ? rows[i].per_cycle : (double)NAN;

			if (strcmp(rows[i].event, row->sum.event) != 0 ||
			    row->sum.shape.m != rows[i].m)
				continue;
			ck_assert_int_eq(isnan(row->per_call), isnan(rows[i].per_call));
			ck_assert_int_eq(isnan(row->per_cycle), isnan(per_cycle));
			if (isfinite(per_cycle))
				ck_assert_double_eq_tol(row->per_cycle, per_cycle, 1e-12);
			if (isfinite(rows[i].per_call))
				ck_assert_double_eq_tol(row->per_call, rows[i].per_call, 1e-12);
			ck_assert_double_eq(row->shown.m, (double)rows[i].m);
			seen++;
		}
	ck_assert_int_eq(seen, COUNT(rows) + 1);
}

/* Rank 0 has two processes that compute 3 and 1, rank 1 one that computes 2; another is in no rank.
 */
TEST(test_processes)
{
	static const struct {
		int rank;
		int64_t blas, other, waiting;
	} rows[] = {{1, 1, 1, 2}, {0, 1, 0, 0}, {-1, 7, 0, 0}, {0, 1, 2, 1}};
	static const int order[] = {2, 3, 1, 0};
	struct run_thread last;

	fixture_run(&runs[0], 4, SECOND, 0.5, 0.4);
	for (int i = 0; i < COUNT(rows); i++) {
		struct run_process *process = table_add(&run_tables[RUN_PART_PROCESSES], &runs[0]);
		struct run_thread *thread = &runs[0].threads[i];

		process->pid = 10 + i;
		process->rank = rows[i].rank;
		process->start_ns = 10 * i;
		process->end_ns = i == 2 ? 0 : 100; /* no call */
		thread->process = i;
		thread->times.ns[CAT_BLAS] = rows[i].blas;
		thread->times.ns[CAT_OTHER] = rows[i].other;
		thread->times.ns[CAT_WAITING] = rows[i].waiting;
		thread->samples_spin = 1;
		thread->samples_kernel = 2;
	}
	runs[0].threads[3].times.ns[CAT_SPIN] = -5; /* a damaged store */
	runs[0].threads[3].times.blas_waiting_ns = -5;
	last = runs[0].threads[3];
	*run_add_thread(&runs[0]) = last; /* of no process */
	runs[0].threads[4].process = COUNT(rows);
	*run_add_thread(&runs[0]) = last; /* makes no call */
	runs[0].threads[5].calls = 0;
	runs[0].threads[5].process = 1;
	runs[0].threads[5].times.ns[CAT_BLAS] = runs[0].threads[5].times.ns[CAT_OTHER] = 0;
	fixture_report(runs, 1);
	ck_assert_uint_eq(report.nprocesses, COUNT(rows));
	for (int i = 0; i < COUNT(rows); i++) {
		const struct report_process *row = &report.processes[i];
		int from = order[i];
		double all = (double)(rows[from].blas + rows[from].other + rows[from].waiting);

		ck_assert_int_eq(row->process.pid, 10 + from);
		ck_assert_double_eq(row->alive_ns, from == 2 ? 0 : 100 - 10 * from);
		ck_assert_double_eq(row->all_threads, from == 1 ? 2 : 1);
		ck_assert_double_eq(row->callers, 1);
		ck_assert_double_eq(row->caller_ns, all);
		ck_assert_double_eq(row->thread_ns, all + (from == 1));
		ck_assert_double_eq(row->calls, 300);
		ck_assert_double_eq(row->flops, 5e8 + (from == 1 ? 5e8 : 0));
		ck_assert_double_eq(row->samples, (from == 1 ? 2 : 1) * (250 + 3));
		ck_assert_double_eq_tol(row->waiting_share, (double)rows[from].waiting / all,
					1e-12);
		ck_assert_int_eq(row->times.blas_waiting_ns >= 0, 1);
	}
	ck_assert_double_eq_tol(report.imbalance, 4 * 2 / 6.0 - 1, 1e-12);
}

static const struct {
	struct call_shape shape;
	const char *name;
} shape_names[] = {
	{{.routine = "cblas_sgemm", .transa = 'N', .transb = 'T', .m = 1, .n = 2, .k = 3},
	 "cblas_sgemm NT 1 x 2 x 3"},
	{{.routine = "dpotrf_", .transa = '-', .transb = '-', .n = 20}, "dpotrf_ 20"},
	{{.routine = "dgemv_", .transa = 'T', .transb = '-', .m = 7, .n = 8}, "dgemv_ T 7 x 8"},
	{{.routine = "dtrsm_", .transa = '-', .transb = 'N', .m = 7, .n = 8}, "dtrsm_ N 7 x 8"},
	{{.routine = "cblas_sgemm", .transa = 'N', .transb = 'N', .m = 7, .other_shapes = 1},
	 "cblas_sgemm NN other shapes"},
};

TEST(test_names_of_shapes)
{
	char text[SHAPE_NAME_MAX];

	for (int i = 0; i < COUNT(shape_names); i++)
		ck_assert_str_eq(shape_name(&shape_names[i].shape, text), shape_names[i].name);
}

static const struct {
	char type, kernel_type;
	const char *numbers;
	enum precision precision;
} numbers[] = {
	{'s', 0, "fp32", PRECISION_SINGLE},
	{'d', 0, "fp64", PRECISION_DOUBLE},
	{'c', 0, "complex fp32", PRECISION_SINGLE},
	{'z', 0, "complex fp64", PRECISION_DOUBLE},
	{'b', 's', "bf16", PRECISION_COUNT},
	{'u', 'h', "fp16", PRECISION_COUNT},
	{'u', 'i', "int8", PRECISION_COUNT},
	{'w', 0, "int16", PRECISION_COUNT},
	{0, 0, "", PRECISION_SINGLE},
};

TEST(test_numbers_of_shapes)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	for (int i = 0; i < COUNT(numbers); i++) {
		struct run_shape *shape = table_add(&run_tables[RUN_PART_SHAPES], &runs[0]);

		strcpy(shape->shape.routine, "numbers");
		shape->shape.m = i + 1;
		shape->shape.type = numbers[i].type;
		shape->kernel_type = numbers[i].kernel_type;
		shape->total_ns = 1000 - i;
	}
	fixture_report(runs, 1);
	ck_assert_uint_eq(report.nshapes, 2 + COUNT(numbers));
	for (int i = 0; i < COUNT(numbers); i++) {
		const struct report_shape *shape = &report.shapes[2 + i];

		ck_assert_int_eq(shape->sum.shape.m, i + 1);
		ck_assert_str_eq(shape->numbers, numbers[i].numbers);
		ck_assert_int_eq((int)shape->precision, (int)numbers[i].precision);
	}
}

/* Of 1 s half is in BLAS: 0.375 s in 900 calls, 0.125 s in 300. */
TEST(test_figures_of_shapes)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	for (int i = 0; i < 2; i++) {
		runs[0].shapes[i].samples_callers = 6;
		runs[0].shapes[i].samples_workers = 3 + (uint64_t)i;
	}
	runs[0].shapes[0].wall_ns = SECOND;
	fixture_report(runs, 1);
	for (int i = 0; i < 2; i++) {
		const struct report_shape *shape = &report.shapes[i];

		ck_assert_double_eq_tol(shape->gflops, 4, 1e-6);
		ck_assert_double_eq_tol(shape->gbytes_per_s, 2, 1e-6);
		ck_assert_double_eq_tol(shape->share, i ? 0.25 : 0.75, 1e-9);
	}
	ck_assert_double_nan(report.shapes[0].worker_share); /* 9 samples */
	ck_assert_double_eq_tol(report.shapes[1].worker_share, 0.4, 1e-12);
	ck_assert_double_eq(report.shapes[0].wall_ns, 1e9);
	ck_assert_double_nan(report.shapes[1].wall_ns);
}

/* Of each thread count the histograms of the first shape, or of all. */
TEST_EACH(test_latencies, 2)
{
	static const struct {
		int shape, bucket;
		double calls;
	} rows[] = {{0, 20, 90}, {0, 25, 10}, {1, 30, 5}};
	struct report_options options = REPORT_OPTIONS_DEFAULT;
	size_t seen = 0;

	for (int i = 0; i < 2; i++) {
		fixture_run(&runs[i], 1 + i, SECOND, 0.5, 0.5);
		fixture_calls(&runs[i].shapes[0], 20, 90, 25, 10);
		fixture_calls(&runs[i].shapes[1], 30, 5, 0, 0);
	}
	options.top = _i;
	ck_assert(!report_build(runs, 2, &options, &report, NULL));
	ck_assert_uint_eq(report.nlatencies, _i ? 4 : 6);
	for (int threads = 1; threads <= 2; threads++)
		for (int i = 0; i < (_i ? 2 : 3); i++) {
			const struct report_latency *row = &report.latencies[seen++];

			ck_assert_int_eq(row->threads, threads);
			ck_assert_str_eq(row->shape, rows[i].shape ? "cblas_sgemm NT 128 x 64 x 64"
								   : "cblas_sgemm NT 64 x 64 x 64");
			ck_assert_double_eq(row->low_ns, run_bucket_low_ns(rows[i].bucket));
			ck_assert_double_eq(row->high_ns, run_bucket_low_ns(rows[i].bucket + 1));
			ck_assert_double_eq(row->calls, rows[i].calls);
		}
	for (int i = 0; i < 2; i++)
		run_free(&runs[i]);
}

/* Callers have the samples in BLAS by their time; MPI has a share of the threads'. */
TEST(test_callers_and_mpi)
{
	static const char *const names[] = {"backward", "forward"};

	fixture_run(&runs[0], 2, SECOND, 0.5, 0.4);
	for (int i = 0; i < 2; i++) {
		struct run_caller *caller = table_add(&run_tables[RUN_PART_CALLERS], &runs[0]);
		struct run_mpi *mpi = table_add(&run_tables[RUN_PART_MPI], &runs[0]);

		caller->location.function = string_pooled(names[i]);
		caller->location.object = "/home/u/train";
		caller->location.inlined_into = "";
		caller->location.file = "";
		caller->total_ns = i ? SECOND * 3 / 10 : SECOND / 10;
		strcpy(mpi->routine, i ? "MPI_Wait" : "MPI_Send");
		mpi->total_ns = i ? SECOND / 5 : SECOND / 50;
	}
	fixture_report(runs, 1);
	for (int i = 0; i < 2; i++) {
		double share = i ? 0.25 : 0.75;

		ck_assert_str_eq(report.callers[i].sum.location.function, names[!i]);
		ck_assert_double_eq_tol(report.callers[i].share, share, 1e-9);
		ck_assert_double_eq_tol(report.callers[i].samples,
					share * row_of(2)->account.samples_blas, 1e-9);
		ck_assert_str_eq(report.mpi[i].sum.routine, i ? "MPI_Send" : "MPI_Wait");
		ck_assert_double_eq_tol(report.mpi[i].share, i ? 0.01 : 0.1, 1e-9);
	}
}

TEST(test_stacks_by_role)
{
	struct run_frame *frame;
	struct run_stack *stack;

	for (int i = 0; i < 2; i++) {
		fixture_run(&runs[i], 1, SECOND, 0.5, 0.5);
		frame = table_add(&run_tables[RUN_PART_FRAMES], &runs[i]);
		frame->function = "step";
		frame->object = "/home/u/train";
		stack = table_add(&run_tables[RUN_PART_STACKS], &runs[i]);
		*stack = (struct run_stack){
			.parent = -1, .whole = 1, .samples_callers = 30, .samples_others = 10};
	}
	fixture_report(runs, 2);
	ck_assert_uint_eq(report.nstacks, 2);
	for (int i = 0; i < 2; i++) {
		ck_assert_str_eq(report.stacks[i].role, i ? "other" : "caller");
		ck_assert_str_eq(report.stacks[i].stack, "step");
		ck_assert_double_eq(report.stacks[i].samples, i ? 20 : 60);
		ck_assert_double_eq(report.stacks[i].share, i ? 0.25 : 0.75);
	}
}
