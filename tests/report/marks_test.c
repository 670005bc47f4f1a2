/* marks_test.c: what runs are marked with reaches the report: regions, what-if, ROI, work. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
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

static void add_region(struct run *run, const char *name, double blas, double other, double waiting)
{
	struct run_region *region = table_add(&run_tables[RUN_PART_REGIONS], run);

	strcpy(region->name, name);
	region->entries = 100;
	region->times.ns[CAT_BLAS] = (int64_t)(blas * SECOND);
	region->times.blas_waiting_ns = region->times.ns[CAT_BLAS] / 10;
	region->times.ns[CAT_OTHER] = (int64_t)(other * SECOND);
	region->times.ns[CAT_WAITING] = (int64_t)(waiting * SECOND);
	region->calls = 600;
	region->flops = 1e9;
}

TEST(test_regions)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.4);
	fixture_run(&runs[1], 1, SECOND, 0.5, 0.4);
	for (int i = 0; i < 2; i++) {
		add_region(&runs[i], "forward", 0.1, 0.2, 0.1);
		add_region(&runs[i], "backward", 0.4, 0.1, 0);
	}
	fixture_report(runs, 2);
	ck_assert_uint_eq(report.nregions, 2);
	ck_assert_str_eq(report.regions[0].sum.name, "backward");
	ck_assert_double_eq_tol((double)report.regions[0].sum.entries, 200, 0.1);
	ck_assert_double_eq_tol(report.regions[0].share, 0.5, 1e-6);
	ck_assert_double_eq_tol(report.regions[0].f, 0.8, 1e-6);
	ck_assert_double_eq_tol(report.regions[0].gflops, 2.5, 1e-6);
	ck_assert_double_eq_tol(report.regions[1].share, 0.4, 1e-6);
	expect_cell("regions", 2, "region", "forward");
	expect_cell("regions", 2, "waiting_ns", "200000000");
	expect_text(
		"\n      1  backward      200   50.0  0.800  80.0      8.0   20.0      0.0     0.0"
		"   1200     2.50\n");
}

/* The same if the regions, by another clock, have more of it than there is. */
TEST_EACH(test_waiting_is_lost_by_region, 2)
{
	int found = 0;

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_run(&runs[1], 2, SECOND, 0.3, 0.3);
	add_region(&runs[0], "step", 0.5, 0.5, 0);
	add_region(&runs[1], "step", 0.6, 0.6, _i ? 0.9 : 0.6);
	runs[1].threads[0].start_ns = SECOND / 5; /* which is an additional loss */
	runs[1].threads[0].times.ns[CAT_WAITING] -= SECOND / 5;
	fixture_report(runs, 2);
	for (size_t i = 0; i < report.nlosses; i++)
		if (!strcmp(report.losses[i].contributor, "blocked in region step")) {
			ck_assert_double_eq_tol(report.losses[i].lost, 0.6, 1e-6);
			found++;
		}
	ck_assert_int_eq(found, 1);
}

TEST(test_shapes_by_region)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	strcpy(runs[0].shapes[0].shape.region, "forward");
	runs[0].shapes[1].shape.m = 64;
	strcpy(runs[0].shapes[1].shape.region, "backward");
	fixture_report(runs, 1);
	ck_assert_uint_eq(report.nshapes, 1);
	ck_assert_double_eq_tol((double)report.shapes[0].sum.calls, 1200, 0.1);
	ck_assert_str_eq(report.shapes[0].sum.shape.region, "");
	ck_assert_uint_eq(report.nregion_shapes, 2);
	expect_cell("shapes", 1, "region", "forward");
	expect_cell("shapes", 2, "region", "backward");
	expect_cell("shapes", 2, "calls", "300");
}

static void add_stack(struct run *run)
{
	struct run_frame *frame = array_add(&run->frames, &run->nframes, sizeof *frame);
	struct run_stack *stack = array_add(&run->stacks, &run->nstacks, sizeof *stack);

	frame->function = "main";
	frame->object = "train";
	*stack = (struct run_stack){.parent = -1, .whole = 1, .samples_callers = 10};
}

static void mark(struct run *run)
{
	run->experiment = "./train {} [what-if units=1]";
	strcpy(run->what_if, "units=1");
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
	fixture_run(&runs[0], 2, SECOND, 0.5, 0.5);
	mark(&runs[0]);
	add_stack(&runs[0]);
	fixture_report(runs, 1);
	expect_next_command("blasprof --what-if units=1 -- ./train 1");
	expect_text("\nwhat-if  units=1: these runs were changed; nothing here is real\n");
	expect_text("\nWith --what-if=units=1: ");
	expect_cell("threads", 1, "what_if", "units=1");
	expect_cell("runs", 1, "what_if", "units=1");
	expect_marks();
}

TEST(test_next_command_keeps_the_choices)
{
	fixture_run(&runs[0], 2, SECOND, 0.5, 0.5);
	strcpy(runs[0].roi, "step");
	strcpy(runs[0].work_unit, "steps");
	runs[0].work = 1000;
	fixture_report(runs, 1);
	expect_next_command("blasprof --work steps --roi step -- ./train 1");
}

/* Runs with another what-if, ROI or work are not mixed with the newest. */
TEST(test_only_runs_that_compare_are_used)
{
	for (int i = 0; i < 4; i++)
		fixture_run(&runs[i], 1 + i % 2, SECOND, 0.5, 0.5);
	strcpy(runs[0].roi, "process");
	strcpy(runs[1].what_if, "units=1");
	fixture_report(runs, 4);
	ck_assert_uint_eq(report.nrows, 2);
	ck_assert_int_eq(report.rows[0].runs, 1);
	ck_assert_int_eq(report.rows[1].runs, 1);
	ck_assert_int_eq(report.runs[0].used + report.runs[1].used, 0);
	ck_assert_ptr_nonnull(fixture_warning("left_out"));
}

/* Two numbers from the output measure the same work only if one expression found both. */
TEST(test_work_by_other_expressions_is_left_out)
{
	static const char *const patterns[] = {"loss ([0-9.]+)", "it's ([0-9]+)", "it's ([0-9]+)"};
	for (int i = 0; i < 3; i++) {
		fixture_run(&runs[i], 1, SECOND, 0.5, 0.5);
		strcpy(runs[i].work_unit, "work");
		runs[i].work = 1000;
		run_add_fact(&runs[i], "work_pattern", patterns[i]);
	}
	fixture_report(runs, 3);
	ck_assert_uint_eq(report.nrows, 1);
	ck_assert_int_eq(report.rows[0].runs, 2);
	ck_assert_int_eq(report.runs[0].used, 0);
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
	for (int i = 0; i < 2; i++) {
		fixture_run(&runs[i], 1 + i, SECOND, 0.5, 0.5);
		strcpy(runs[i].work_unit, "steps");
		runs[i].work = i ? 1800 : 1000;
	}
	fixture_report(runs, 2);
	ck_assert_double_eq_tol(report.rows[1].throughput, 1800, 1e-6);
	ck_assert_double_eq_tol(report.rows[1].speedup, 1.8, 1e-9);
	expect_cell("threads", 2, "work", "1800");
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
	ck_assert(isfinite(report.rows[6].predicted[MODEL_REPLAY]));
	printf("a report on 1000 runs took %.2f s\n", (double)(clock() - start) / CLOCKS_PER_SEC);
	ck_assert_int_lt(clock() - start, 20 * (clock_t)CLOCKS_PER_SEC);
	report_free(&report);
	for (int i = 0; i < 1000; i++)
		run_free(&many[i]);
}
