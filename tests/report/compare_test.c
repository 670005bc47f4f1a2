/* compare_test.c: comparisons of runs with known content. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "described_run.h"
#include "fixture.h"
#include "report/compare.h"
#include "write/format.h"
#include "tests/unit.h"

#define RUNS	   12

/* Half of the time that a thread waits it has no CPU. */
#define HALF_LACKS "threads waiting_ns*=.5 preempted_ns=waiting_ns"

enum { BEFORE, AFTER };
static struct run runs[2][RUNS];
static size_t nruns[2];
static struct comparison comparison;
static struct error err;

static struct run *add(int side, int n, double wall_s)
{
	struct run *run = &runs[side][nruns[side]++];

	fixture_run(run, n, (int64_t)(wall_s * 1e9), 0.5, 0.4);
	return run;
}

static int compare(int force)
{
	const struct comparison_options options = {.top = 1, .force = force};

	comparison_free(&comparison);
	memset(&err, 0, sizeof err);
	comparison.sides[0] = (struct comparison_side){.name = "A", runs[0], nruns[0]};
	comparison.sides[1] = (struct comparison_side){.name = "B", runs[1], nruns[1]};
	return comparison_build(&options, &comparison, &err);
}

static void free_all(void)
{
	comparison_free(&comparison);
	for (int side = 0; side < 2; side++)
		while (nruns[side])
			run_free(&runs[side][--nruns[side]]);
}

FIXTURE(NULL, free_all)

static const struct comparison_row *find_row(int threads, const char *figure)
{
	EACH_ROW(row, comparison.rows, comparison.nrows)
		if (row->threads_before == threads && !strcmp(row->figure, figure))
			return row;
	return NULL;
}

static void check_text(const char *wanted)
{
	ck_assert_has(fixture_table_written(comparison_write, TABLE_TEXT, &comparison), wanted);
}

static void check_refused(const char *wanted)
{
	ck_assert_int_eq(compare(0), -1);
	ck_assert_has(err.what, wanted);
	ck_assert_str_ne(err.remedy, "");
}

/* Welch by hand: 1.0, 1.1, 1.2 s against 1.4, 1.5, 1.6 s: difference 0.4, each variance 0.01 / 3,
 * 4 degrees of freedom, t(0.975, 4) = 2.776445. */
TEST(test_intervals)
{
	const struct comparison_row *row;

	for (int i = 0; i < 3; i++) {
		change_run(add(BEFORE, 1, 1 + 0.1 * i), "%s", HALF_LACKS);
		change_run(add(AFTER, 1, 1.4 + 0.1 * i), "%s", HALF_LACKS);
		/* calls of another shape do not count */
		fixture_calls(&runs[BEFORE][i].shapes[1], 60, 5000, 0, 0);
	}
	ck_assert_msg(!compare(0), "%s", err.what);
	row = find_row(1, "wall");
	ck_assert_double_eq_tol(row->before, 1.1e9, 10);
	ck_assert_double_eq_tol(row->after, 1.5e9, 10);
	ck_assert_double_eq_tol(row->difference, 0.4e9, 10);
	ck_assert_double_eq_tol(row->high - row->low, 2e9 * 2.776445 * sqrt(0.02 / 3), 1e3);
	ck_assert_int_eq(row->significant, SIGNIFICANCE_YES);
	ck_assert_int_eq(row->runs_before, 3);
	ck_assert_int_eq(find_row(1, "calls")->significant, SIGNIFICANCE_NO);
	ck_assert_ptr_null(find_row(1, "speedup"));
	ck_assert_str_eq(find_row(1, "p50")->shape, "cblas_sgemm NT 64 x 64 x 64");
	ck_assert_double_eq_tol(find_row(1, "p50")->before, 0.5e9 * 1.1 / 1200, 5e4);
	EACH_ROW(figure, comparison.rows,
		 comparison.nrows) /* the work and its mix of calls are the same */
		ck_assert_int_eq(figure->significant && figure->better * figure->difference < 0,
				 strcmp(figure->figure, "calls") && strcmp(figure->figure, "f"));
	check_text(" worse\n");
}

/* A run of 1 s with 2e9 flops, a twentieth of the time waiting and without a CPU, beside one of
 * 2 s. */
static const struct {
	const char *figure, *unit;
	int better;
	double before, after;
} figures[] = {
	{"wall", "ns", -1, 1e9, 2e9},	    {"throughput", "work/s", 1, 2e9, 1e9},
	{"gflops", "GFLOP/s", 1, 2, 1},	    {"calls", "calls", 0, 1200, 1200},
	{"f", "", 0, 0.5 / 0.9, 0.5 / 0.9}, {"b", "ns/work", -1, 0.25, 0.5},
	{"c", "ns/work", -1, 0.2, 0.4},	    {"o", "ns/work", -1, 0.025, 0.05},
	{"p", "ns/work", -1, 0.025, 0.05},
};

TEST(test_figures)
{
	change_run(add(BEFORE, 1, 1), "%s", HALF_LACKS);
	change_run(add(AFTER, 1, 2), "%s", HALF_LACKS);
	ck_assert_int_eq(compare(0), 0);
	ck_assert_uint_eq(comparison.nrows, COUNT(figures) + 1);
	for (int i = 0; i < COUNT(figures); i++) {
		const struct comparison_row *row = &comparison.rows[i];

		ck_assert_str_eq(row->figure, figures[i].figure);
		ck_assert_str_eq(row->unit, figures[i].unit);
		ck_assert_int_eq(row->better, figures[i].better);
		ck_assert_double_eq_tol(row->before, figures[i].before, 1e-9 * row->before);
		ck_assert_double_eq_tol(row->after, figures[i].after, 1e-9 * row->after);
		ck_assert_double_eq(row->difference, row->after - row->before);
		ck_assert_double_eq(row->change, row->difference / row->before);
	}
	ck_assert_int_eq(comparison.rows[COUNT(figures)].better, -1);
}

/* LAPACK's calls, a quarter of the time of one side, have no flops. */
TEST_EACH(test_no_rate_where_flops_are_not_known, 2)
{
	change_run(add(BEFORE, 1, 1), _i ? "" : "shapes[1] way=lapack");
	change_run(add(AFTER, 1, 1), _i ? "shapes[1] way=lapack" : "");
	ck_assert_int_eq(compare(0), 0);
	ck_assert_ptr_null(find_row(1, "gflops"));
}

/* Calls of one shape in several regions, or by several variants of a name, are one. */
TEST_EACH(test_shapes_in_regions, 2)
{
	struct run *run = add(BEFORE, 1, 1);
	struct run_shape *other = table_add(&run_tables[RUN_PART_SHAPES], run);
	size_t rows = 0;

	add(AFTER, 1, 1);
	*other = run->shapes[0];
	other->histogram = NULL;
	change_run(run, "shapes[2] region=step variant=%s calls*=2 total_ns=1", _i ? "64_" : "");
	fixture_calls(other, run_bucket((double)other->max_ns), other->calls, 0, 0);
	ck_assert_int_eq(compare(0), 0);
	ck_assert_int_eq(find_row(1, "p50")->runs_before, 1);
	ck_assert_int_eq(find_row(1, "p50")->runs_after, 1);
	ck_assert_int_eq(find_row(1, "p50")->significant, SIGNIFICANCE_UNKNOWN);
	ck_assert_double_eq_tol(find_row(1, "p50")->before / find_row(1, "p50")->after, 2, 0.25);
	EACH_ROW(row, comparison.rows, comparison.nrows)
		rows += !strcmp(row->shape, find_row(1, "p50")->shape);
	ck_assert_uint_eq(rows, 1);
}

/* What makes a shape another one. */
static const char *const other_shapes[] = {
	"m+=1", "n+=1", "k+=1", "transa=T", "transb=N", "other_shapes=1", "routine=cblas_dgemm",
};

TEST_EACH(test_other_shapes, COUNT(other_shapes))
{
	add(BEFORE, 1, 1);
	change_run(add(AFTER, 1, 1), "shapes[0] %s", other_shapes[_i]);
	ck_assert_int_eq(compare(0), 0);
	ck_assert_int_eq(find_row(1, "p50")->runs_before, 1);
	ck_assert_int_eq(find_row(1, "p50")->runs_after, 0);
}

/* There is a row for each type of elements that both sides have; old runs do not tell the type. */
TEST_EACH(test_types, 4)
{
	static const char types[][2] = {{'s', 's'}, {'s', 0}, {0, 's'}, {'s', 'd'}};

	for (int side = 0; side < 2; side++)
		add(side, 1, 1)->shapes[0].shape.type = types[_i][side];
	ck_assert_msg(!compare(0), "%s", err.what);
	ck_assert_int_eq(find_row(1, "p50")->runs_after, _i < 3);
}

/* Time that few programs spend has a row if a side has it, so that the parts add up to all. */
TEST(test_spinning_and_mpi)
{
	add(BEFORE, 1, 1);
	change_run(add(AFTER, 1, 1), "threads spin_ns=10%% other_ns=10%%");
	ck_assert_msg(!compare(0), "%s", err.what);
	ck_assert_double_eq(find_row(1, "s")->before, 0);
	ck_assert_double_gt(find_row(1, "s")->after, 0);
	ck_assert_ptr_null(find_row(1, "mpi"));
}

TEST(test_noise_is_not_significant)
{
	for (int i = 0; i < 3; i++) {
		add(BEFORE, 1, 1 + 0.3 * i)->shapes[0].shape.other_shapes =
			2; /* sums up other shapes */
		add(AFTER, 1, 1.1 + 0.3 * i);
	}
	ck_assert_msg(!compare(0), "%s", err.what);
	ck_assert_str_eq(find_row(1, "p50")->shape, "cblas_sgemm NT 128 x 64 x 64");
	ck_assert_int_eq(find_row(1, "throughput")->significant, SIGNIFICANCE_NO);
	ck_assert_ptr_null(comparison_worst(&comparison, 0.01));
}

/* What a command does until it fails compares with nothing. */
TEST(test_failed_run)
{
	add(BEFORE, 1, 1);
	change_run(add(AFTER, 1, 0.1), "exit_status=139");
	ck_assert_msg(!compare(0), "%s", err.what);
	check_text(": the command failed; 1 run of ");
}

TEST(test_single_runs)
{
	const struct comparison_row *row;

	add(BEFORE, 1, 1);
	add(BEFORE, 2, 0.6);
	add(AFTER, 2, 0.8);
	add(AFTER, 1, 1.1);
	ck_assert_msg(!compare(0), "%s", err.what);
	ck_assert_int_eq(comparison_has_throughput(&comparison), 1);
	row = find_row(2, "throughput");
	ck_assert_double_eq_tol(row->change, 0.6 / 0.8 - 1, 1e-9);
	ck_assert_int_eq(row->significant, SIGNIFICANCE_UNKNOWN);
	ck_assert_double_nan(row->low);
	ck_assert_ptr_eq(comparison_worst(&comparison, 0.05), row);
	ck_assert_ptr_null(comparison_worst(&comparison, 0.26));
	ck_assert_ptr_null(comparison_worst(&comparison, -row->change));
	ck_assert_double_eq_tol(find_row(2, "speedup")->before, 1 / 0.6, 1e-6);
	ck_assert_double_eq_tol(find_row(2, "speedup")->after, 1.1 / 0.8, 1e-6);
	check_text("  ?\n");
	EACH_ROW(other, comparison.rows, comparison.nrows)
		other->change = NAN;
	ck_assert_int_eq(comparison_has_throughput(&comparison), 0);
	ck_assert_ptr_null(comparison_worst(&comparison, 0.05));
}

/* Only one side has a run of one thread. */
TEST_EACH(test_speedup_of_one_side, 2)
{
	add(BEFORE, 2, 0.6);
	add(AFTER, 2, 0.8);
	add(_i ? BEFORE : AFTER, 1, 1);
	ck_assert_msg(!compare(0), "%s", err.what);
	ck_assert_ptr_null(find_row(2, "speedup"));
}

TEST(test_speedup_interval)
{
	const struct comparison_row *row;

	for (int i = -1; i <= 1; i++) {
		add(BEFORE, 1, 1 + 0.01 * i);
		add(BEFORE, 2, 0.6 + 0.01 * i);
		add(AFTER, 1, 1 + 0.01 * i);
		add(AFTER, 2, 0.9 + 0.01 * i);
	}
	ck_assert_msg(!compare(0), "%s", err.what);
	row = find_row(2, "speedup");
	ck_assert_double_eq_tol(row->difference, 1 / 0.9 - 1 / 0.6, 0.01);
	ck_assert_double_lt(row->high, 0);
	ck_assert_double_lt(row->low, row->difference);
	ck_assert_double_eq_tol(row->low + row->high, 2 * row->difference, 1e-9);
	ck_assert_int_eq(row->significant, SIGNIFICANCE_YES);
}

/* Two single runs are compared at any thread counts; several runs need one in common. */
TEST(test_thread_counts)
{
	add(BEFORE, 1, 1);
	add(AFTER, 2, 0.6);
	ck_assert_msg(!compare(0), "%s", err.what);
	ck_assert_int_eq(find_row(1, "wall")->threads_after, 2);
	check_text("1 thread before, 2 after (runs: 1 before, 1 after)");
	add(AFTER, 4, 0.4);
	check_refused("no thread count in common: 1 before, 2, 4 after");
}

TEST(test_different_programs)
{
	add(BEFORE, 1, 1);
	add(AFTER, 1, 1)->command = "/opt/new/train 1 --fast";
	ck_assert_msg(!compare(0), "%s", err.what); /* another build of the program */
	runs[AFTER][0].command = "'/my programs/infer' 1";
	check_refused("'A' and 'B' are different programs: train and infer");
	ck_assert_msg(!compare(1), "%s", err.what);
	change_run(&runs[AFTER][0], "command='./train 1' work=10 work_unit=steps");
	check_refused("the work of 'A' is counted in flops, that of 'B' in steps");
}

TEST(test_what_if_is_said)
{
	const char *text;

	add(BEFORE, 1, 1);
	strcpy(add(AFTER, 1, 5)->what_if, "blas=2");
	strcpy(add(AFTER, 1, 1.2)->what_if, "units=1");
	ck_assert_msg(!compare(0), "%s", err.what);
	ck_assert_double_eq_tol(find_row(1, "wall")->after, 1.2e9, 10);
	check_text("before: real runs, after: units=1; this change is part of the difference");
	text = fixture_table_written(comparison_write, TABLE_CSV, &comparison);
	ck_assert_has(text, "\r\n1,1,,units=1,wall,,ns,1,1,1000000000,1200000000,");
	ck_assert_msg(strstr(text, "nan") == NULL, "%s", text);
	strcpy(runs[BEFORE][0].what_if, "units=1");
	ck_assert_msg(!compare(0), "%s", err.what);
	check_text("both sides ran under units=1: neither is real");
}

/* Programs that both make none are compared. */
TEST_EACH(test_no_calls, 4)
{
	add(BEFORE, 1, 1)->threads[0].calls *= _i % 2;
	add(AFTER, 1, 1)->threads[0].calls *= _i / 2;
	if (_i % 3)
		check_refused(_i / 2 ? "no run of 'A' has a BLAS call"
				     : "no run of 'B' has a BLAS call");
	else
		ck_assert_int_eq(compare(0), 0);
}

/* Thousands of runs are compared by one report, not by a report for each. */
TEST(test_many_runs)
{
	enum { MANY = 3000 };
	struct run *many = calloc(MANY, sizeof *many);
	const struct comparison_options options = {.top = 5};
	clock_t start;

	for (int i = 0; i < MANY; i++)
		fixture_run(&many[i], 1 << i % 2, SECOND + i % 7, 0.5, 0.4);
	memset(&comparison, 0, sizeof comparison);
	comparison.sides[0] = (struct comparison_side){.name = "A", many, MANY};
	comparison.sides[1] = (struct comparison_side){.name = "B", many, MANY};
	start = clock();
	ck_assert(!comparison_build(&options, &comparison, &err));
	ck_assert_int_lt(clock() - start, CLOCKS_PER_SEC);
	ck_assert_int_eq(find_row(2, "p50")->runs_after, MANY / 2);
	ck_assert_double_eq_tol(find_row(2, "wall")->difference, 0, 1e-9);
	for (int i = 0; i < MANY; i++)
		run_free(&many[i]);
	free(many);
}
