/* report_test.c: the report's figures against those worked out by hand from runs with known
 * content, and that what runs are marked with reaches it: regions, what-if, ROI, work. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "described_run.h"
#include "fixture.h"
#include "report/build.h"
#include "report/columns.h"
#include "report/scaling.h"
#include "tests/unit.h"
#include "tests/write/csv_reader.h"

static struct run runs[4];

static void check_predictions(const struct report_row *row, double f)
{
	for (size_t i = 0; i < MODELS && models[i].speedup; i++)
		ck_assert_double_eq_tol(row->predicted[i].value,
					models[i].speedup(f, row->threads, row->units), 1e-9);
}

TEST(test_speedups_and_losses)
{
	const int64_t walls[] = {SECOND, SECOND * 65 / 100, SECOND * 60 / 100};
	const double blas[] = {0.55, 0.6, 0.7}, other[] = {0.45, 0.35, 0.2};

	for (int i = 0; i < 3; i++)
		fixture_run(&runs[i], 1 << i, walls[i], blas[i], other[i]);
	fixture_report(runs, 3);
	ck_assert_uint_eq(report.nrows, 3);
	ck_assert_double_eq_tol(report.scaling.f.value, 0.55, 1e-9);
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
		check_predictions(point, 0.55);
	}
}

/* With twice the threads: 1.25 times the instructions, two thirds of the IPC and 0.9 times the
 * clock rate. */
TEST(test_efficiencies)
{
	REPORT_ON("1 1 .5 .4; threads blas_waiting_ns=0;"
		  "+counters event=instructions counted=1 blas=1e9 other=1e9;"
		  "+counters event=cycles counted=1 blas=4e8 other=6e8",
		  "2 1.2 .5 .4; threads blas_waiting_ns=0 other_ns=337.5ms waiting_ns=262.5ms;"
		  "+counters event=instructions counted=1 blas=1e9 other=1.5e9;"
		  "+counters event=cycles counted=1 blas=4e8 other=1.475e9");
	ck_assert_double_eq_tol(row_of(2)->speedup,
				2 * row_of(2)->efficiency.global / row_of(1)->efficiency.global,
				1e-9);
	expect_rows("threads",
		    "instruction_scaling ipc_scaling frequency_scaling computation_efficiency",
		    "1 1 1 1\n0.8 0.666667 0.9 0.48\n");
	expect_text("POP's efficiencies: ");
}

TEST(test_coverage)
{
	REPORT_ON("1 1 .6 .3; threads blas_waiting_ns=0 samples_blas=400 samples_other=400");
	expect_rows("threads", "f_sampled coverage", "0.5 1.33333\n");
}

TEST(test_units_reach_the_models)
{
	struct report_options options = {.units = 2};
	struct error err;

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 4, SECOND / 3, 0.5, 0.4);
	ck_assert(!report_build(runs, 2, &options, &report, &err));
	ck_assert_double_eq_tol(row_of(4)->predicted[1].value, 4, 1e-9); /* min(4, 2 / 0.5) */
	report_free(&report);
	options.units = -1;
	ck_assert_int_eq(report_build(runs, 2, &options, &report, &err), -1);
	ck_assert(strstr(err.what, "units") && *err.remedy);
	ck_assert_int_eq(report_build(runs, 0, &options, &report, &err), -1);
	for (int i = 0; i < 2; i++)
		run_free(&runs[i]);
}

TEST(test_columns_follow_the_models)
{
	for (size_t i = 0; i < MODELS; i++) {
		const char *name = models[i].name;
		struct table_order order =
			table_order_by(report_table_find("threads"),
				       string_printf("speedup_%s speedup_%s_low speedup_%s_high",
						     name, name, name));
		size_t at = offsetof(struct report_row, predicted[i]);

		ck_assert_uint_eq(order.by[0]->offset, at + offsetof(struct interval, value));
		ck_assert_uint_eq(order.by[1]->offset, at + offsetof(struct interval, low));
		ck_assert_uint_eq(order.by[2]->offset, at + offsetof(struct interval, high));
	}
}

TEST(test_equal_thread_counts_are_summed)
{
	REPORT_ON("2 1 .5 .4", "2 2 .5 .4", "2 3 .5 .4");
	expect_rows("threads", "runs wall_ns calls throughput", "3 6e+09 3600 1e+09\n");
	expect_rows("shapes", "m calls", "64 2700\n128 900\n");
	ck_assert_double_eq_tol(report.shapes[0].share, 0.75, 1e-6);
	expect_rows("functions", "function samples share",
		    "sgemm_kernel 1500 0.5\nrmsnorm_forward 900 0.3\n[unknown] 600 0.2\n");
	expect_rows("run-threads", "alive_ns", "3e+09\n3e+09\n");
}

#define RUN "; work=1 work_unit=runs"
#define RANK_MISSING                                                                               \
	{                                                                                          \
		"1 1 .5 .5", "2 1 .5 .5", "2 1 .9 .1; +notes code=ranks_missing detail='2 of 4'",  \
			"3 1 .5 .5; +notes code=ranks_missing detail='3 of 4'"                     \
	}
#define NOT_ALIKE                                                                                  \
	{                                                                                          \
		"1 1 .5 .5; roi=process", "2 1 .5 .5; what_if=units=1", "1 1 .5 .5", "2 1 .5 .5"   \
	}
#define OF(program) "; facts program=" program
#define CHANGED                                                                                    \
	{                                                                                          \
		"1 1 .5 .5" OF("a"), "1 1 .5 .5" OF("b"), "1 1 .5 .5", "2 1 .5 .5" OF("c"),        \
			"2 1 .5 .5; exit_status=1" OF("d")                                         \
	}
#define ARGUMENTS "routine=cblas_sgemm transa=N transb=T n=64 k=64 "
#define BY_ROLE	  "1 1 .5 .5; +frames function=step; +stacks samples_callers=30 samples_others=10"

/* Runs in words, columns of a table of their report, and a warning that they cause. */
static const struct {
	const char *runs[6], *table, *columns, *rows, *warning;
} tables[] = {
	/* busy threads come first */
	{{"2 1 .5 .4; threads[0] samples_other=1"}, "run-threads", "tid", "101\n100\n"},
	/* where runs are the work, one that was stopped is none; nor do two such runs compare; one
	 * that failed is none if another succeeded */
	{{"1 .1 .5 .5; exit_status=130" RUN, "2 1 .5 .5" RUN}, "threads", "threads runs", "2 1\n"},
	{{"1 1 .5 .5" RUN, "2 .1 .5 .5; exit_status=143" RUN}, "threads", "threads runs", "1 1\n"},
	{{"1 1 .5 .5; exit_status=130" RUN, "2 1 .5 .5; exit_status=130" RUN,
	  "2 1 .5 .5; exit_status=130" RUN},
	 "threads",
	 "threads runs",
	 "2 2\n"},
	{{"1 .1 .5 .5; exit_status=1" RUN, "2 1 .5 .5" RUN}, "threads", "threads runs", "2 1\n"},
	{{"1 1 .5 .5; exit_status=1" RUN, "2 1 .5 .5; exit_status=1" RUN},
	 "threads",
	 "threads runs",
	 "1 1\n2 1\n"},
	{{"1 1 .5 .5; exit_status=130", "2 1 .5 .5"}, "threads", "threads runs", "1 1\n2 1\n"},
	/* a job of which a rank is missing does not count as a smaller job, if there is such a one
	 */
	{RANK_MISSING, "threads", "threads runs", "1 1\n2 1\n3 1\n", "ranks_missing"},
	{RANK_MISSING, "runs", "used", "1\n1\n0\n1\n"},
	/* runs with another what-if, ROI or work are not mixed with the newest */
	{NOT_ALIKE, "threads", "threads runs", "1 1\n2 1\n", "left_out"},
	{NOT_ALIKE, "runs", "used", "0\n0\n1\n1\n"},
	/* nor are those of the program before it was changed, if there is a newer one that
	 * succeeded at this thread count */
	{CHANGED, "threads", "threads runs", "1 2\n2 1\n", "left_out"},
	{CHANGED, "runs", "used", "0\n1\n1\n1\n0\n"},
	{CHANGED, "runs", "used", "0\n1\n1\n1\n0\n", "program_changed"},
	/* the sums have the events' names in common, and no time tells how many threads there are
	 */
	{{"1 1 .5 .4; roi_ns=0; +counters event=instructions blas=12e6 other=6e6 count=19e6 "
	  "outside=1e6 counted=nan; +counters event=cycles counted=1 blas=-1e6 outside=1e6"},
	 "counters",
	 "threads event counted per_work per_cycle per_cycle_blas per_cycle_other",
	 "0 instructions 0 - - - -\n0 cycles 1 - - - -\n"},
	/* of two threads cycles were not counted */
	{{"1 1 .5 .4; +shape_counters event=instructions " ARGUMENTS "m=64 calls=50 count=6000;"
	  "+shape_counters event=cycles:u " ARGUMENTS "m=64 calls=100 count=4000;"
	  "+shape_counters event=cycles_other " ARGUMENTS "m=64 calls=50 count=600;"
	  "+shape_counters event=instructions " ARGUMENTS "m=128 count=6000",
	  "2 1 .5 .4; +shape_counters event=instructions " ARGUMENTS "m=64 calls=50 count=6000"},
	 "shape_counters",
	 "threads event m per_call per_cycle",
	 "1 cycles:u 64 40 -\n1 cycles_other 64 12 0.15\n1 instructions 64 120 1.5\n"
	 "1 instructions 128 - -\n2 instructions 64 120 -\n"},
	{{BY_ROLE, BY_ROLE},
	 "stacks",
	 "role stack samples share",
	 "caller step 60 0.75\nother step 20 0.25\n"},
};

TEST_EACH(test_tables, COUNT(tables))
{
	report_on(tables[_i].runs);
	expect_rows(tables[_i].table, tables[_i].columns, tables[_i].rows);
	ck_assert(!tables[_i].warning || fixture_warning(tables[_i].warning));
}

/* Without a measured speed-up, predictions use an estimate, and the report says so. */
static void check_estimates(void)
{
	ck_assert_int_eq(report.scaling.f_estimated, 2);
	ck_assert_double_lt(report.scaling.f.value, report.rows[0].account.f_intercepted);
	EACH_ROW(point, report.rows, report.nrows) {
		ck_assert(isnan(point->speedup));
		ck_assert_int_eq(point->f_estimated, 1);
		check_predictions(point, report.scaling.f.value);
	}
}

TEST(test_without_one_thread_f_is_estimated)
{
	REPORT_ON("2 1 .5 .4; cpus_available=4", "4 1 .5 .4; cpus_available=4");
	check_estimates();
	expect_next_command("blasprof -- ./train 1");
	expect_text("for the speed-up, run: blasprof -- ./train 1\n");
	expect_text("from d = ~0.");
	expect_text(" ~1.");
}

/* An estimate says nothing of more threads than CPUs. */
TEST(test_estimate_beyond_cpus)
{
	REPORT_ON("2 1 .5 .4", "4 1 .5 .4");
	for (size_t i = 0; i < MODELS; i++) {
		ck_assert(isnan(report.rows[1].predicted[i].value));
		ck_assert(isnan(report.rows[1].predicted[i].high));
	}
	ck_assert(report.rows[0].predicted[MODEL_AMDAHL].value > 1);
}

#define FIT_CALLS_MPI "+mpi routine=MPI_Send total_ns=1ms; +processes pid=7 parent=6 calls=1"

/* Runs in words, and the command to run next. */
static const struct {
	const char *run, *other, *next;
} commands[] = {
	{"1 1 .5 .5", NULL, "blasprof -- ./train 2"},
	{"1 1 .5 .5", "2 1 .5 .5", NULL},
	/* a thread for each CPU */
	{"1 1 .5 .5; cpus_available=3.5", NULL, "blasprof -- ./train 3"},
	{"1 1 .5 .5; cpus_available=1e300", NULL, "blasprof -- ./train 2147483647"},
	/* the choices are kept */
	{"2 1 .5 .5; roi=step work_unit=steps work=1000", NULL,
	 "blasprof --work steps --roi step -- ./train 1"},
	/* the command does not contain a thread count that was seen */
	{"1 1 .5 .5; experiment=./fit command=./fit", NULL,
	 "OPENBLAS_NUM_THREADS=2 blasprof -- ./fit"},
	/* BLAS had more threads already, as far as samples tell */
	{"1 1 .5 .5; experiment=./fit command=./fit; facts blas_threads=1", NULL,
	 "OPENBLAS_NUM_THREADS=2 blasprof -- ./fit"},
	{"1 1 .5 .5; experiment=./fit command=./fit; facts blas_threads=2", NULL, NULL},
	{"1 1 .5 .5; experiment=./fit command=./fit; facts blas_threads=2; threads samples_blas=0",
	 NULL, "OPENBLAS_NUM_THREADS=2 blasprof -- ./fit"},
	{"2 1 .5 .5; experiment='./fit 8' command='./fit 8'", NULL,
	 "blasprof -t 1,2 --threads-env=VARIABLE -- ./fit 8"},
	/* no more threads than CPUs */
	{"6 1 .5 .5; experiment=./fit command=./fit;"
	 "+functions function=loop object=/lib/libgomp.so.1",
	 NULL, "blasprof -t 1,2 --threads-env=OMP_NUM_THREADS -- ./fit"},
	{"3 1 .5 .5; threads_requested=0; threads_awake=2", NULL, "blasprof -t 1 -- ./train {}"},
	{"2 1 .5 .5; experiment=./fit command=./fit;"
	 "+functions function=loop object=/lib/libgomp.so.1",
	 NULL, "blasprof -t 1,2 --threads-env=OMP_NUM_THREADS -- ./fit"},
	/* an MPI program, by itself and under a launcher, with one and with two ranks that call */
	{"1 1 .5 .02; experiment=./fit command=./fit; cpus_available=4; " FIT_CALLS_MPI, NULL,
	 "blasprof -t 1,4 -- mpirun -n {} ./fit"},
	{"1 1 .5 .5; experiment='mpirun ./fit' command='mpirun ./fit'; " FIT_CALLS_MPI
	 "; +processes pid=6",
	 NULL, "OPENBLAS_NUM_THREADS=2 blasprof -- mpirun ./fit"},
	{"1 1 .5 .5; experiment=./fit command=./fit; " FIT_CALLS_MPI "; +processes pid=8 calls=1",
	 NULL, "OPENBLAS_NUM_THREADS=2 blasprof -- ./fit"},
	{"1 1 .5 .5; experiment=./fit command=./fit; facts mpi.rank=0; " FIT_CALLS_MPI, NULL, NULL},
	{"2 1 .5 .5; experiment=./fit command=./fit; facts mpi.rank=0; " FIT_CALLS_MPI, NULL,
	 "mpirun -n 1 blasprof -- ./fit"},
};

TEST_EACH(test_next_command, COUNT(commands))
{
	REPORT_ON(commands[_i].run, commands[_i].other);
	expect_next_command(commands[_i].next);
}

/* In a text of any size it ends inside, and before a command to be filled in options are whole or
 * left out. */
TEST_EACH(test_next_command_in_little_room, 3)
{
	char whole[1024], text[1024];

	static const char *const described[] = {
		"2 1 .5 .5; experiment=./train",
		"1 1 .5 .5; experiment='./train {} --size {}'",
		"1 1 .5 .5; experiment=./train",
	};

	describe_run(&runs[0], described[_i]);
	strcpy(runs[0].roi, "it's");
	run_add_fact(&runs[0], "work_pattern", "steps/s: ([0-9]+)");
	fixture_report(runs, 1);
	report.options.store = "some where.db";
	ck_assert(report_next_command(&report, whole, sizeof whole));
	ck_assert_has(whole, " -i 'some where.db' --work 'steps/s: ([0-9]+)' --roi 'it'\\''s'");
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
	REPORT_ON("1 1 .5 .5; cpu_ns=10s roi_cpu_ns=4s", "2 1 .5 .5; cpu_ns=10s roi_cpu_ns=9s");
	ck_assert_double_eq_tol(report_roi_share(&report), 0.65, 1e-12);
	ck_assert_double_eq_tol(row_of(1)->roi_share, 0.4, 1e-12);
	REPORT_ON("1 1 .5 .5");
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
		int pid, tid, start, end;
		const char *kind;
		int place;
	} spans[] = {
		{2, 1, 0, 5, "blas", 5}, {1, 2, 0, 5, "blas", 4},   {1, 1, 3, 4, "blas", 3},
		{1, 1, 2, 3, "blas", 2}, {1, 1, 2, 9, "region", 0}, {1, 1, 2, 9, "blas", 1},
	};

	for (int i = 0; i < 3; i++) {
		fixture_run(&runs[i], 1 + i, SECOND, 0.5, 0.5);
		runs[i].id = 10 + i;
		for (int j = 0; j < COUNT(spans) && i < 2; j++)
			change_run(&runs[i],
				   "+timeline pid=%d tid=%d start_ns=%d end_ns=%d kind=%s",
				   spans[j].pid, spans[j].tid, spans[j].start, spans[j].end,
				   spans[j].kind);
	}
	fixture_report(runs, 3);
	ck_assert_int_eq(report.timeline.id, 11);
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

	REPORT_ON("4 1 .5 .4; threads own_ns=1ms; samples_lost=1 samples_outside_roi=2 "
		  "samples_unknown=3 throttled=4 cpu_ns=5s roi_cpu_ns=6s;" /* no more than all */
		  "threads[3] own_ns=-5 flops=nan");
	row = &report.runs[0];
	expect_rows("runs",
		    "own_ns calls flops samples samples_lost samples_outside_roi samples_unknown "
		    "throttled roi_share",
		    "3e+06 1200 1.5e+09 1000 1 2 3 4 1\n");
	ck_assert_double_eq(row->call_ns, 12 + 15);
	ck_assert_double_eq(row->steal_share, 0);
	ck_assert_double_eq(row->whole_ns, 1.1e9);
	ck_assert_double_eq(row->callers_ns, 4e9);
	ck_assert_double_eq_tol(row->blocked_ns, 0.4e9, 10);
	ck_assert_double_eq_tol(row->on_cpu_ns, 4 * 0.85e9, 10);
	ck_assert_double_eq(report.threads[0].samples, 250);
	ck_assert_double_eq(report.threads[0].alive_ns, 1e9);
	ck_assert_str_eq(report.threads[0].role, "caller");
	ck_assert_int_eq(report.threads_run, 0);
}

/* Samples do not tell f of a region with several parts, nor where uprobes count the calls. */
TEST_EACH(test_f_by_samples, 3)
{
	static const char *const ones[] = {"1 1 .5 .5", "1 1 .5 .5; roi=step",
					   "1 1 .5 .5; facts uprobes=1"};

	REPORT_ON(ones[_i]);
	ck_assert_int_eq(isnan(report.runs[0].f_sampled), _i > 0);
}

/* A damaged store may have any number; those up to 2^20 threads and, on one, 2^55 ns are used. */
TEST_EACH(test_damaged_numbers, 4)
{
	static const char *const ones[] = {
		"1 1 .5 .5; threads_requested=1048575", "1 1 .5 .5; roi_ns=36028797018963960",
		"1 1 .5 .5; threads_requested=1048576", "1 1 .5 .5; roi_ns=36028797018963968"};

	REPORT_ON(ones[_i]);
	ck_assert_uint_eq(report.nrows, _i < 2);
}

/* A thread that computes for 1.9 ms need not be seen at 500 samples a second; one for 2 ms is,
 * and none where nothing is sampled. */
TEST_EACH(test_threads_without_samples, 3)
{
	describe_run(
		&runs[0],
		"2 1 .5 .5; threads[1] samples_blas=0 samples_other=0 blas_ns=0 blas_waiting_ns=0");
	change_run(&runs[0], "sample_rate_hz=%d; threads[1] other_ns=%gms", _i == 2 ? 0 : 500,
		   _i == 1 ? 2 : 1.9);
	fixture_report(runs, 1);
	ck_assert_uint_eq(report.nrows, 1);
	ck_assert_double_eq(report.rows[0].unsampled_threads, _i == 0);
	ck_assert_double_eq(report.rows[0].unsampled_ns, _i == 0 ? 1.9e6 : 0);
	ck_assert_double_eq(report.rows[0].on_cpu_ns, 0.95e9 + (_i == 1 ? 2e6 : 1.9e6));
}

TEST(test_failed_runs)
{
	REPORT_ON("1 1 .5 .5", "1 .1 .9 .1; exit_status=139", "2 1 .5 .5; exit_status=1");
	ck_assert_int_eq(row_of(1)->runs, 1);
	ck_assert_double_eq_tol(report.scaling.f.value, 0.5, 1e-9);
	ck_assert_int_eq(row_of(1)->failed, 0);
	ck_assert_int_eq(row_of(2)->failed, 1);
	ck_assert_int_eq(report.runs[1].used, 0);
	ck_assert_has(report_finding(&report),
		      "The command failed with 2 threads. 2 threads give ");
}

/* A run of one thread that broke off is no base for a speed-up. */
TEST(test_failed_base)
{
	REPORT_ON("1 .1 .5 .5; exit_status=139", "2 1 .5 .5");
	ck_assert_ptr_eq(report_failed(&report), row_of(1));
	ck_assert_has(report_finding(&report), "The command failed with 1 thread. 2 threads give ");
	REPORT_ON("1 1 .5 .5", "2 1 .5 .5");
	ck_assert_ptr_null(report_failed(&report));
}

TEST(test_a_run_without_calls)
{
	const char *text;

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
}

TEST(test_quantiles)
{
	describe_run(&runs[0], "1 1 .5 .5; shapes[0] total_ns=1s min_ns=1000 max_ns=800000");
	fixture_calls(runs[0].shapes, run_bucket(1000), 90, run_bucket(700000), 10);
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
	REPORT_ON("1 1 .5 .5; shapes[1] way=lapack",
		  "2 1 .5 .5; shapes[1] way=lapack total_ns*=.076923");
	ck_assert_double_nan(row_of(1)->flops_per_s);
	ck_assert_double_gt(row_of(2)->flops_per_s, 0);
}

TEST(test_gathered_shapes_and_missing_arguments)
{
	const char *text;

	describe_run(&runs[0],
		     "1 1 .5 .5; shapes[0] other_shapes=1 m=0; shapes[1] transa=- transb=-");
	fixture_calls(&runs[0].shapes[1], 0, 0, 0, 0);
	fixture_report(runs, 1);
	text = fixture_written("csv", "shapes");
	ck_assert_has(text, "\r\n1,cblas_sgemm,N,T,,,,900,");
	ck_assert_has(text, "\r\n1,cblas_sgemm,,,128,64,64,300,125000000,208333,,,833332,");
}

/* 300 calls of 1,000 flops, 500 bytes and 1,000 ns each, and what the threads can have of it: of
 * one thread, of 2 callers with 2 BLAS threads each at work, of one with 2, and of 4 callers. The
 * routine's other shape may be start-up for the least of its times; calls of another are shorter.
 */
TEST(test_roofline)
{
	static const char *const descriptions[] = {
		"1 1 .5 .5; shapes[0] min_ns=600",
		"2 1 .5 .5; shapes[0] min_ns=400; +threads samples_blas=500;"
		"+threads samples_blas=500; +threads samples_blas=500; +threads samples_blas=500",
		"1 1 .5 .5; shapes[0] min_ns=600; +threads samples_blas=500;"
		"+threads samples_blas=500",
		"4 1 .5 .5; shapes[0] min_ns=400",
	};

	for (int i = 0; i < 4; i++) {
		describe_run(&runs[i], descriptions[i]);
		change_run(&runs[i],
			   "facts blas_threads=3 'ceilings=cpus=8 peak_single_1=10e9 "
			   "peak_single_all=45e9 peak_double_1=5e9 peak_double_all=22.5e9 "
			   "l1_1=20e9 l1_all=90e9 memory_1=10e9 memory_all=45e9';"
			   "shapes[1] min_ns=900 total_ns=300000 flops=300000 bytes=150000;"
			   "+shapes routine=cblas_dgemm calls=10 min_ns=1 total_ns=100");
	}
	fixture_report(runs, 4);
	/* of N threads together 10 + 5 (N - 1) GFLOP/s and GB/s of memory, half of it in double,
	 * and twice as much from the first cache */
	expect_rows("ceilings", "threads ceiling flops_per_s bytes_per_s",
		    "1 single 1e+10 -\n"
		    "1 double 5e+09 -\n"
		    "1 L1 - 2e+10\n"
		    "1 memory - 1e+10\n"
		    "2 single 1.75e+10 -\n"
		    "2 double 8.75e+09 -\n"
		    "2 L1 - 3.5e+10\n"
		    "2 memory - 1.75e+10\n"
		    "3 single 2e+10 -\n"
		    "3 double 1e+10 -\n"
		    "3 L1 - 4e+10\n"
		    "3 memory - 2e+10\n"
		    "4 single 6.25e+09 -\n"
		    "4 double 3.125e+09 -\n"
		    "4 L1 - 1.25e+10\n"
		    "4 memory - 6.25e+09\n");
	expect_rows("shapes", "threads routine m bound level intensity ceiling_share",
		    "1 cblas_sgemm 64 compute memory 2 0.4\n"
		    "1 cblas_sgemm 128 latency memory 2 0.1\n"
		    "1 cblas_dgemm 0   - -\n"
		    "2 cblas_sgemm 64 compute memory 2 0.114286\n"
		    "2 cblas_sgemm 128 compute memory 2 0.0571429\n"
		    "2 cblas_dgemm 0   - -\n"
		    "3 cblas_sgemm 64 compute memory 2 0.2\n"
		    "3 cblas_sgemm 128 latency memory 2 0.05\n"
		    "3 cblas_dgemm 0   - -\n"
		    "4 cblas_sgemm 64 compute memory 2 0.16\n"
		    "4 cblas_sgemm 128 compute memory 2 0.16\n"
		    "4 cblas_dgemm 0   - -\n");
}

#define COUNTED(instructions)                                                                      \
	" 1 .5 .4; +counters event=cycles:u counted=1 blas=4e6 other=5e6 kernel=1e6 "              \
	"count=10e6 outside=1e6; +counters event=instructions counted=" instructions               \
	" blas=12e6 other=6e6 count=19e6 outside=1e6; +counters event=energy-pkg unit=Joules "     \
	"counted=1 blas=nan other=nan count=110 outside=1e6; +thread_counters event=cycles:u "     \
	"pid=100 tid=100 blas=300 other=100 kernel=10; +thread_counters event=cycles:u pid=100 "   \
	"tid=998 blas=30 other=20 kernel=10; +thread_counters event=cycles:u pid=100 tid=999 "     \
	"blas=31 other=20 kernel=10; +thread_counters event=instructions pid=100 tid=999 blas=31 " \
	"other=20 kernel=10;"
#define MISSED "+counters event=missed counted=1 count=1e6 outside=nan"

/* Two runs of one thread, and one of two. Thread 998 counts as much in BLAS as elsewhere, 999 a
 * little more. */
TEST(test_counters)
{
	/* a damaged store: no more than all of the energy is inside; a thread that makes no call */
	REPORT_ON("1" COUNTED("1") MISSED, "1" COUNTED(".5") MISSED,
		  "2" COUNTED(".5") "elapsed_ns=500ms; +threads;"
				    "+thread_counters event=cycles:u pid=100 tid=102 kernel=5");
	/* as asked for, of the fewest threads first; of 220 J a tenth of the region's time lies
	 * outside */
	expect_rows("counters",
		    "threads event runs callers workers others counted blas other waiting outside "
		    "split per_work per_cycle per_cycle_blas per_cycle_other",
		    "1 cycles:u 2 820 122 120 1 8e+06 1e+07 - 2e+06  0.0045 - - -\n"
		    "1 instructions 2 0 122 0 0.5 2.4e+07 1.2e+07 - 2e+06  0.009 1.9 3 1.2\n"
		    "1 energy-pkg 2 - - - 1 100 80 20 20 time 5e-08 - - -\n"
		    "1 missed 2 - - - 1 0 0 - -  0.0005 0.1 0 0\n"
		    "2 cycles:u 1 410 61 65 1 4e+06 5e+06 - 1e+06  0.0045 - - -\n"
		    "2 instructions 1 0 61 0 0.5 1.2e+07 6e+06 - 1e+06  0.009 1.9 3 1.2\n"
		    "2 energy-pkg 1 - - - 1 55 44 11 0 time 5.5e-08 - - -\n");
	ck_assert_ptr_eq(report_find_counter(&report, 1, "CYCLES"), &report.counters[0]);
	ck_assert_ptr_eq(report_find_counter(&report, 2, "cycles"), &report.counters[4]);
	ck_assert_ptr_null(report_find_counter(&report, 1, "cycle"));
	ck_assert(report_counter_is_energy(&report.counters[2]) &&
		  !report_counter_is_energy(&report.counters[0]));
	/* the rest may also be in MPI, or spinning */
	expect_text("the rest 11.0 J");
}

/* Some virtual machines let the event be opened, and count nothing. */
TEST(test_no_energy)
{
	REPORT_ON("1 1 .5 .4; +counters event=energy-pkg unit=Joules count=0 exact_blas=nan");
	expect_no_text("energy-pkg");
}

/* Rank 0 has two processes that compute 3 and 1, rank 1 one that computes 2; another is in no rank.
 */
TEST(test_processes)
{
	REPORT_ON("4 1 .5 .4; threads samples_spin=1 samples_kernel=2;"
		  "+processes pid=10 rank=1 start_ns=0 end_ns=100;"
		  "+processes pid=11 rank=0 start_ns=10 end_ns=100;"
		  "+processes pid=12 rank=-1 start_ns=20 end_ns=0;" /* no call */
		  "+processes pid=13 rank=0 start_ns=30 end_ns=100;"
		  "threads[0] process=0 blas_ns=1 other_ns=1 waiting_ns=2;"
		  "threads[1] process=1 blas_ns=1 other_ns=0 waiting_ns=0;"
		  "threads[2] process=2 blas_ns=7 other_ns=0 waiting_ns=0;"
		  /* a damaged store */
		  "threads[3] process=3 blas_ns=1 other_ns=2 waiting_ns=1 spin_ns=-5 "
		  "blas_waiting_ns=-5;"
		  /* of no process, and one that makes no call */
		  "+threads process=4 blas_ns=1 other_ns=2 waiting_ns=1 calls=300 flops=5e8;"
		  "+threads process=1 waiting_ns=1 flops=5e8 samples_blas=132 "
		  "samples_other=118 samples_spin=1 samples_kernel=2");
	expect_rows("processes",
		    "process alive_ns all_threads callers thread_ns calls flops samples "
		    "waiting_share blas_waiting_ns",
		    "12 0 1 1 7 300 5e+08 253 0 5e+07\n"
		    "13 70 1 1 4 300 5e+08 253 0.25 0\n"
		    "11 90 2 1 2 300 1e+09 506 0 5e+07\n"
		    "10 100 1 1 4 300 5e+08 253 0.5 5e+07\n");
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
	for (int i = 0; i < COUNT(shape_names); i++)
		ck_assert_str_eq(shape_name(&shape_names[i].shape), shape_names[i].name);
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

		shape->shape.routine = "numbers";
		shape->shape.variant = shape->shape.way = shape->shape.region = "";
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
	REPORT_ON("1 1 .5 .5; shapes samples_callers=6 samples_workers=3;"
		  "shapes[0] wall_ns=1s; shapes[1] samples_workers=4");
	for (int i = 0; i < 2; i++)
		ck_assert_double_eq_tol(report.shapes[i].share, i ? 0.25 : 0.75, 1e-9);
	/* 9 samples are too few */
	expect_rows("shapes", "gflops gbytes_per_s worker_share wall_ns",
		    "4 2 - 1e+09\n"
		    "4 2 0.4 -\n");
}

/* Of each thread count the histograms of the first shape, or of all. */
TEST_EACH(test_latencies, 2)
{
	struct report_options options = REPORT_OPTIONS_DEFAULT;

	for (int i = 0; i < 2; i++) {
		fixture_run(&runs[i], 1 + i, SECOND, 0.5, 0.5);
		fixture_calls(&runs[i].shapes[0], 20, 90, 25, 10);
		fixture_calls(&runs[i].shapes[1], 30, 5, 0, 2);
	}
	options.top = _i;
	ck_assert(!report_build(runs, 2, &options, &report, NULL));
	expect_rows("latencies", "threads shape low_ns high_ns calls",
		    _i ? "1 cblas_sgemm NT 64 x 64 x 64 32 38 90\n"
			 "1 cblas_sgemm NT 64 x 64 x 64 76 91 10\n"
			 "2 cblas_sgemm NT 64 x 64 x 64 32 38 90\n"
			 "2 cblas_sgemm NT 64 x 64 x 64 76 91 10\n"
		       : "1 cblas_sgemm NT 64 x 64 x 64 32 38 90\n"
			 "1 cblas_sgemm NT 64 x 64 x 64 76 91 10\n"
			 "1 cblas_sgemm NT 128 x 64 x 64 0 1 2\n"
			 "1 cblas_sgemm NT 128 x 64 x 64 181 215 5\n"
			 "2 cblas_sgemm NT 64 x 64 x 64 32 38 90\n"
			 "2 cblas_sgemm NT 64 x 64 x 64 76 91 10\n"
			 "2 cblas_sgemm NT 128 x 64 x 64 0 1 2\n"
			 "2 cblas_sgemm NT 128 x 64 x 64 181 215 5\n");
	for (int i = 0; i < 2; i++)
		run_free(&runs[i]);
}

/* Callers have the samples in BLAS by their time; MPI has a share of the threads'. */
TEST(test_callers_and_mpi)
{
	REPORT_ON("2 1 .5 .4; +callers function=backward object=/home/u/train inlined_into='' "
		  "file='' total_ns=100ms; +callers function=forward object=/home/u/train "
		  "inlined_into='' file='' total_ns=300ms; +mpi routine=MPI_Send total_ns=20ms;"
		  "+mpi routine=MPI_Wait total_ns=200ms");
	expect_rows("callers", "function share samples",
		    "forward 0.75 396\n"
		    "backward 0.25 132\n");
	expect_rows("mpi", "routine share", "MPI_Wait 0.1\nMPI_Send 0.01\n");
}

static void expect_cell(const char *table, size_t row, const char *column, const char *value)
{
	struct csv csv;

	ck_assert(!csv_read(fixture_written("csv", table), &csv));
	ck_assert_ptr_nonnull(csv_cell(&csv, row, column));
	ck_assert_str_eq(csv_cell(&csv, row, column), value);
	csv_free(&csv);
}

TEST(test_regions)
{
	static const char *const run = "1 1 .5 .4; +regions name=forward entries=100 blas_ns=10% "
				       "blas_waiting_ns=1% other_ns=20% waiting_ns=10% calls=600 "
				       "flops=1e9; +regions name=backward entries=100 blas_ns=40% "
				       "blas_waiting_ns=4% other_ns=10% calls=600 flops=1e9";

	REPORT_ON(run, run);
	expect_rows("regions", "region entries share f gflops waiting_ns",
		    "backward 200 0.5 0.8 2.5 0\n"
		    "forward 200 0.4 0.333333 10 2e+08\n");
	expect_cell("regions", 2, "waiting_ns", "200000000");
	expect_text(
		"\n      1  backward      200   50.0  0.800  80.0      8.0   20.0      0.0     0.0"
		"   1200     2.50\n");
}

TEST(test_shapes_by_region)
{
	REPORT_ON("1 1 .5 .5; shapes[0] region=forward; shapes[1] region=backward m=64");
	ck_assert_uint_eq(report.nshapes, 1);
	ck_assert_double_eq_tol((double)report.shapes[0].sum.calls, 1200, 0.1);
	ck_assert_str_eq(report.shapes[0].sum.shape.region, "");
	expect_rows("shapes", "region calls", "forward 900\nbackward 300\n");
}

/* The what-if is in every table and format, even if a table has no such column; and in none for
 * real runs. */
static void expect_marks(void)
{
	static const char *const formats[] = {"csv", "tsv", "markdown"};
	const char *text;

	for (size_t i = 0; i < REPORT_TABLES; i++)
		for (size_t j = 0; j < 3; j++) {
			text = fixture_written(formats[j], report_tables[i].name);
			ck_assert_msg(!table_count(&report_tables[i], &report) ||
					      (strstr(text, "what_if") && strstr(text, "units=1")),
				      "%s of %s: %s", formats[j], report_tables[i].name, text);
		}
	expect_cell("shapes", 1, "what_if", "units=1");
	text = fixture_written("folded", NULL);
	ck_assert_msg(!strncmp(text, "[what-if units=1];main ", 23), "%s", text);
}

TEST(test_what_if)
{
	REPORT_ON("2 1 .5 .5;"
		  "experiment='./train {} [what-if units=1]' what_if=units=1;"
		  "+frames function=main; +stacks samples_callers=10");
	expect_next_command("blasprof --what-if units=1 -- ./train 1");
	expect_text("\nwhat-if  units=1: these runs were changed; nothing here is real\n");
	expect_text("\nWith --what-if=units=1: ");
	expect_cell("threads", 1, "what_if", "units=1");
	expect_cell("runs", 1, "what_if", "units=1");
	expect_marks();
}

/* Two numbers from the output measure the same work only if one expression found both. */
TEST(test_work_by_other_expressions_is_left_out)
{
	static const char *const patterns[] = {"loss ([0-9.]+)", "it's ([0-9]+)", "it's ([0-9]+)"};
	for (int i = 0; i < 3; i++) {
		describe_run(&runs[i], "1 1 .5 .5; work_unit=work work=1000");
		run_add_fact(&runs[i], "work_pattern", patterns[i]);
	}
	fixture_report(runs, 3);
	expect_rows("threads", "runs", "2\n");
	expect_rows("runs", "used", "0\n1\n1\n");
	ck_assert_ptr_nonnull(fixture_warning("left_out"));
	expect_next_command("blasprof --work 'it'\\''s ([0-9]+)' -- ./train 2");
}

/* Notes of a run that is left out cast no doubt on the others. */
TEST(test_notes_of_runs_that_are_left_out)
{
	REPORT_ON("1 1 .5 .5; roi=process; +notes code=work_not_found detail='x ([0-9])'",
		  "1 1 .5 .5; +notes code=uprobes detail=here", "1 1 .5 .5");
	ck_assert_ptr_null(fixture_warning("work_not_found"));
	ck_assert_ptr_nonnull(fixture_warning("uprobes"));
}

/* What an older run could not count is not said of the newest. */
TEST(test_notes_of_counters)
{
	REPORT_ON("1 1 .5 .5; +notes code=counter_missing detail=cycles", "1 1 .5 .5");
	ck_assert_ptr_null(fixture_warning("counter_missing"));
	REPORT_ON("1 1 .5 .5", "1 1 .5 .5; +notes code=counter_missing detail=cycles");
	ck_assert_ptr_nonnull(fixture_warning("counter_missing"));
}

TEST(test_work_in_steps)
{
	REPORT_ON("1 1 .5 .5; work_unit=steps work=1000", "2 1 .5 .5; work_unit=steps work=1800");
	expect_rows("threads", "work throughput speedup", "1000 1000 1\n1800 1800 1.8\n");
	expect_text("steps/s\n");
	expect_text("\nwork     counted in steps\n");
}

/* A large store. The time depends on the machine, so the limit is far above the usual time. */
TEST(test_a_thousand_runs)
{
	static struct run many[1000];
	static const struct report_options options = REPORT_OPTIONS_DEFAULT;
	struct error err;
	clock_t start;

	for (int i = 0; i < 1000; i++)
		fixture_run(&many[i], 1 << i % 7, SECOND >> i % 7, 0.5, 0.5);
	for (uint32_t i = 0; i < RUN_PAIRS_MAX; i++)
		fixture_pair(&many[994], 20000, 10000 + i % 17 * 1000);
	start = clock();
	ck_assert(!report_build(many, 1000, &options, &report, &err));
	ck_assert(isfinite(report.rows[6].predicted[MODEL_REPLAY].value));
	printf("a report on 1000 runs took %.2f s\n", (double)(clock() - start) / CLOCKS_PER_SEC);
	ck_assert_int_lt(clock() - start, 20 * (clock_t)CLOCKS_PER_SEC);
	report_free(&report);
	for (int i = 0; i < 1000; i++)
		run_free(&many[i]);
}

#define BARRIER "+waits kind=barrier function=pthread_barrier_wait "
#define MUTEX	"+waits kind=mutex function=pthread_mutex_lock "

/* Builds the report of a run of one thread without a wait, and of two threads that wait for 20 % of
 * their time. */
static void build_waits_of(const char *changes)
{
	describe_run(&runs[0], "1 1 .5 .5");
	describe_run(&runs[1], "2 .5 .5 .3");
	change_run(&runs[1], "%s", changes);
	fixture_report(runs, 2);
}

/* Only one caller waits for the mutex, and a thread that makes no call for the condition. */
TEST(test_places_of_waits)
{
	build_waits_of(BARRIER "total_ns=10% longest_ns=2%;" BARRIER "total_ns=4% tid=101;" BARRIER
			       "total_ns=1% tid=101;" MUTEX "total_ns=6%;"
			       "+waits kind=condition tid=999 total_ns=90%");
	expect_rows("waits", "kind role total_ns uneven_ns share waits longest_ns waiting_threads",
		    "barrier caller 7.5e+07 2.5e+07 0.075 30 1e+07 2\n"
		    "mutex caller 3e+07 3e+07 0.03 10 0 1\n"
		    "condition other 4.5e+08 0 - 10 0 1\n");
}

TEST(test_losses_by_wait)
{
	double sum = 0;

	build_waits_of(BARRIER "total_ns=10%;" MUTEX "total_ns=5% tid=101; +waits kind='run queue' "
			       "function=schedule tid=101 total_ns=50%;"
			       "+waits kind=unknown function=syscall tid=101 total_ns=50%;"
			       "+waits kind=sleep function='' tid=101 total_ns=50%;"
			       "+waits kind=barrier function=exec_blas tid=101 "
			       "total_ns=50% in_blas=1;"
			       "+waits kind=MPI function=MPI_Send total_ns=50%;"
			       "+waits kind=condition tid=999 total_ns=90%;"
			       "threads mpi_ns=1% other_ns-=1%");
	EACH_ROW(loss, report.losses, report.nlosses) {
		sum += loss->lost;
		/* time of nothing has no row */
		ck_assert(loss->lost != 0 || loss->category == CAT_BLAS);
	}
	ck_assert_double_eq_tol(sum, 2 - report.rows[1].speedup, 1e-6);
	ck_assert_double_eq_tol(lost_to("barrier: pthread_barrier_wait, called by step"), 0.1,
				1e-3);
	ck_assert_double_eq_tol(lost_to("mutex: pthread_mutex_lock, called by step"), 0.05, 1e-3);
	ck_assert_double_eq_tol(lost_to("(blocked elsewhere)"), 0.25, 1e-3);
}

/* The sampler's clock saw more than was blocked by the other clock: the parts add up nevertheless.
 * The first thread starts late, which is an additional loss. */
TEST(test_waits_over_the_blocked_time)
{
	build_waits_of(BARRIER "total_ns=60%;" MUTEX "total_ns=20% tid=101;"
			       "threads[0] start_ns=10% waiting_ns-=10%");
	ck_assert_double_eq_tol(lost_to("barrier: pthread_barrier_wait, called by step"), 0.225,
				1e-3);
	ck_assert_double_eq_tol(lost_to("mutex: pthread_mutex_lock, called by step"), 0.075, 1e-3);
	ck_assert_double_eq_tol(lost_to("threads not yet started"), 0.1, 1e-3);
}

/* Neither absent nor blocked, but for the sampler's clock. */
TEST(test_waiting_that_is_not_told_apart)
{
	build_waits_of(BARRIER "total_ns=10%; threads waiting_ns=0");
	ck_assert_double_eq_tol(lost_to("(not told apart)"), 0.4, 1e-6);
	EACH_ROW(loss, report.losses, report.nlosses)
		ck_assert(loss->category != CAT_WAITING || loss->lost > 0);
	/* blocked, but three threads on two leave nothing to wait for */
	REPORT_ON("1 1 .5 .5", "3 .5 .5 .4; threads_requested=2");
	EACH_ROW(loss, report.losses, report.nlosses)
		ck_assert(loss->category != CAT_WAITING);
}

/* One place in two regions becomes two rows, each with its own imbalance. */
TEST(test_waits_by_region)
{
	build_waits_of(BARRIER "total_ns=10% region=late;" BARRIER
			       "total_ns=4% tid=101 region=late;" BARRIER "total_ns=3%");
	expect_rows("waits", "region total_ns uneven_ns",
		    "late 7e+07 3e+07\n"
		    " 1.5e+07 1.5e+07\n");
	expect_text("pthread_barrier_wait  train.c:120  late\n");
	expect_text("pthread_barrier_wait  train.c:120  -\n");
}

TEST(test_text_of_waits)
{
	build_waits_of(BARRIER "total_ns=10% longest_ns=2% in_blas=1;" BARRIER
			       "total_ns=4% tid=101 in_blas=1");
	expect_text("What the callers waited on at 2 threads: 1 of 1");
	expect_text("barrier (BLAS)  pthread_barrier_wait  train.c:120");
	expect_text("30.0 ms");
}
