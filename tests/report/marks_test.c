/* marks_test.c: what runs are marked with reaches the report: regions, what-if, ROI, work. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "described_run.h"
#include "fixture.h"
#include "report/columns.h"
#include "tests/unit.h"
#include "tests/write/csv_reader.h"

static struct run runs[4];

static void expect_cell(const char *table, size_t row, const char *column, const char *value)
{
	char *text = fixture_written("csv", table);
	struct csv csv;

	ck_assert(!csv_read(text, &csv));
	ck_assert_ptr_nonnull(csv_cell(&csv, row, column));
	ck_assert_str_eq(csv_cell(&csv, row, column), value);
	csv_free(&csv);
	free(text);
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

/* The same if the regions, by another clock, have more of it than there is. The first thread starts
 * late, which is an additional loss. */
TEST_EACH(test_waiting_is_lost_by_region, 2)
{
#define STEP                                                                                       \
	"2 1 .3 .3; threads[0] start_ns=20% waiting_ns-=20%; +regions name=step "                  \
	"blas_ns=60% other_ns=60% waiting_ns="
	REPORT_ON("1 1 .5 .5; +regions name=step blas_ns=50% other_ns=50%",
		  _i ? STEP "90%" : STEP "60%");
	ck_assert_double_eq_tol(lost_to("blocked in region step"), 0.6, 1e-6);
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
	char *text;

	for (size_t i = 0; i < REPORT_TABLES; i++)
		for (size_t j = 0; j < 3; j++) {
			int has_rows = table_count(&report_tables[i], &report) > 0;

			text = fixture_written(formats[j], report_tables[i].name);
			if (has_rows)
				ck_assert_msg(strstr(text, "what_if") && strstr(text, "units=1"),
					      "%s of %s: %s", formats[j], report_tables[i].name,
					      text);
			free(text);
		}
	expect_cell("shapes", 1, "what_if", "units=1");
	text = fixture_written("folded", NULL);
	ck_assert_msg(!strncmp(text, "[what-if units=1];main ", 23), "%s", text);
	free(text);
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

/* Runs with another what-if, ROI or work are not mixed with the newest. */
TEST(test_only_runs_that_compare_are_used)
{
	REPORT_ON("1 1 .5 .5; roi=process", "2 1 .5 .5; what_if=units=1", "1 1 .5 .5", "2 1 .5 .5");
	expect_rows("threads", "threads runs", "1 1\n2 1\n");
	expect_rows("runs", "used", "0\n0\n1\n1\n");
	ck_assert_ptr_nonnull(fixture_warning("left_out"));
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
	for (int i = 0; i < 3; i++)
		fixture_run(&runs[i], 1, SECOND, 0.5, 0.5);
	strcpy(runs[0].roi, "process");
	run_add_note(&runs[0], "work_not_found", "'%s'", "x ([0-9])");
	run_add_note(&runs[1], "uprobes", "%s", "here");
	fixture_report(runs, 3);
	ck_assert_ptr_null(fixture_warning("work_not_found"));
	ck_assert_ptr_nonnull(fixture_warning("uprobes"));
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
	many[994].npairs = RUN_PAIRS_MAX;
	many[994].pairs = calloc(RUN_PAIRS_MAX, sizeof *many[994].pairs);
	for (int i = 0; i < RUN_PAIRS_MAX; i++)
		many[994].pairs[i] = (struct run_pair){20000, (uint32_t)(10000 + i % 17 * 1000)};
	start = clock();
	ck_assert(!report_build(many, 1000, &options, &report, &err));
	ck_assert(isfinite(report.rows[6].predicted[MODEL_REPLAY].value));
	printf("a report on 1000 runs took %.2f s\n", (double)(clock() - start) / CLOCKS_PER_SEC);
	ck_assert_int_lt(clock() - start, 20 * (clock_t)CLOCKS_PER_SEC);
	report_free(&report);
	for (int i = 0; i < 1000; i++)
		run_free(&many[i]);
}
