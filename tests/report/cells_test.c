/* cells_test.c: measured kernels beside the best of the machine, and suites of them compared. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "fixture.h"
#include "report/build.h"
#include "report/compare_cells.h"
#include "tests/unit.h"

#define CPU "Test CPU 3000" /* that of the fixture's runs */

#define CELL(category_, element, threads_, cache_, status_, bytes_, gflops_, gbytes)               \
	{                                                                                          \
		.category = category_, .kernel = "kernel", .element_bytes = element,               \
		.threads = threads_, .cache = cache_, .status = status_, .bytes = bytes_,          \
		.gflops = gflops_, .gbytes_per_s = gbytes, .cpu = CPU, .n = 1000                   \
	}
#define WARM(category, element, threads, bytes, gflops, gbytes)                                    \
	CELL(category, element, threads, "warm", "ok", bytes, gflops, gbytes)

static const struct cell cells[] = {
	WARM("product", 4, 1, 5e5, 80, 3),
	WARM("peak", 4, 1, 0, 100, NAN),
	WARM("peak", 4, 1, 0, 90, NAN),
	CELL("peak", 4, 1, "cold", "ok", 0, 500, NAN),
	CELL("peak", 4, 1, "warm", "wrong", 0, 500, NAN),
	WARM("peak", 4, 2, 0, 180, NAN),
	WARM("peak", 8, 1, 0, 50, NAN),
	WARM("peak", 2, 1, 0, 400, NAN),
	WARM("peak", 4, 0, 0, 999, NAN),
	WARM("copy", 4, 1, 1e3, NAN, 40),
	WARM("copy", 4, 1, 1e8, NAN, 10),
	WARM("copy", 4, 1, 1e8, NAN, 12),
	WARM("copy", 4, 1, 1e8, NAN, 11),
	WARM("copy", 4, 1, 1e6, NAN, 30),
	CELL("copy", 4, 1, "cold", "ok", 1e9, NAN, 99),
	WARM("copy", 4, 2, 2e3, NAN, 50),
	WARM("copy", 4, 2, 1e8, NAN, 15),
	WARM("reduction", 8, 1, 1e9, 5, 9),    /* more bytes than any copy */
	WARM("product", 4, 2, 1e8, 9, 12),     /* as many bytes as the largest copy */
	WARM("product", 4, 1, 1e6, 10, 15),    /* as many as another one */
	WARM("product", 4, 1, 1e6 + 1, 10, 3), /* a little more */
	WARM("product", 4, 3, 1e3, 10, 3),     /* no peak of three threads */
	WARM("product", 8, 1, 5e5, 45, 2),
	WARM("activation", 4, 1, 1e6, NAN, 6),
};

static void build(const struct run *runs, size_t nruns, const char *category)
{
	struct report_options options = REPORT_OPTIONS_DEFAULT;
	struct error err;

	options.cells = cells;
	options.ncells = COUNT(cells);
	options.cells_category = category;
	ck_assert(!report_build(runs, nruns, &options, &report, &err));
}

/* Of the cells that are no peak and no copy. */
static const struct {
	double bytes, peak_gflops, peak_gbytes, share;
	int threads;
} bests[] = {
	{5e5, 100, 30, 0.8, 1}, {1e9, 50, 12, 0.75, 1},	     {1e8, 180, 15, 0.8, 2},
	{1e6, 100, 30, 0.5, 1}, {1e6 + 1, 100, 12, 0.25, 1}, {1e3, NAN, NAN, NAN, 3},
	{5e5, 50, 30, 0.9, 1},	{1e6, 100, 30, 0.2, 1},
};

static void check_equal(double value, double wanted)
{
	ck_assert_int_eq(isnan(value), isnan(wanted));
	if (!isnan(wanted))
		ck_assert_double_eq_tol(value, wanted, 1e-9 * wanted);
}

TEST(test_the_best_of_the_machine)
{
	int seen = 0;

	build(NULL, 0, NULL);
	ck_assert_uint_eq(report.ncells, COUNT(cells));
	EACH_ROW(row, report.cells, report.ncells) {
		if (!strcmp(row->cell.category, "peak") || !strcmp(row->cell.category, "copy"))
			continue;
		ck_assert_double_eq(row->cell.bytes, bests[seen].bytes);
		ck_assert_int_eq(row->cell.threads, bests[seen].threads);
		check_equal(row->peak_gflops, bests[seen].peak_gflops);
		check_equal(row->peak_gbytes_per_s, bests[seen].peak_gbytes);
		check_equal(row->share_of_peak, bests[seen].share);
		seen++;
	}
	ck_assert_int_eq(seen, COUNT(bests));
	check_equal(report.cells[1].share_of_peak, 1);
	check_equal(report.cells[2].share_of_peak, 0.9);
	check_equal(report.cells[9].share_of_peak, 1);
	report_free(&report);
	build(NULL, 0, "product");
	ck_assert_uint_eq(report.ncells, 6);
	check_equal(report.cells[0].peak_gflops, 100);
	report_free(&report);
}

/* What each of so many threads has of it, in 1e9/s; copies follow the first peak. */
static const struct {
	int threads;
	const char *name;
	double gflops, gbytes;
} ceilings[] = {
	{1, "single", 100, NAN}, {1, "fastest copy", NAN, 40}, {1, "largest copy", NAN, 12},
	{2, "single", 90, NAN},	 {2, "fastest copy", NAN, 25}, {2, "largest copy", NAN, 7.5},
	{1, "double", 50, NAN},
};

/* Of cells alone, beside a run on the same kind of CPU, and on another; the machine's ceilings as
 * measured go before. Beside a run that does not say on what. */
TEST_EACH(test_ceilings_of_cells, 5)
{
	struct run run;
	size_t wanted = _i < 2 || _i == 4 ? COUNT(ceilings) : 0;

	fixture_run(&run, 1, SECOND, 0.5, 0.5);
	if (_i == 2)
		run_add_fact(&run, "cpu", "another");
	if (_i == 3)
		run_add_fact(&run, "ceilings",
			     "cpus=1 peak_single_1=1 peak_single_all=1 peak_double_1=1 "
			     "peak_double_all=1 memory_1=1 memory_all=1");
	EACH_ROW(fact, run.facts, _i == 4 ? run.nfacts : 0)
		fact->name = strcmp(fact->name, "cpu") ? fact->name : "";
	build(&run, _i > 0, NULL);
	ck_assert_uint_eq(report.nceiling_rows, _i == 3 ? 3 : wanted);
	for (size_t i = 0; i < wanted; i++) {
		const struct report_ceiling *row = &report.ceiling_rows[i];

		ck_assert_int_eq(row->threads, ceilings[i].threads);
		ck_assert_str_eq(row->ceiling, ceilings[i].name);
		check_equal(row->flops_per_s, ceilings[i].gflops * 1e9);
		check_equal(row->bytes_per_s, ceilings[i].gbytes * 1e9);
	}
	for (size_t i = 0; i < COUNT(cells); i++)
		ck_assert_int_eq(build_cell_is_seen(&report, &cells[i]),
				 _i != 2 && strcmp(cells[i].category, "peak") != 0);
	report_free(&report);
	run_free(&run);
}

TEST(test_cells_that_are_not_seen)
{
	struct cell cell = WARM("copy", 4, 1, 1e3, NAN, 40);

	build(NULL, 0, NULL);
	ck_assert(build_cell_is_seen(&report, &cell));
	cell.threads = 0;
	ck_assert(!build_cell_is_seen(&report, &cell));
	cell.threads = 1;
	strcpy(cell.status, "left out");
	ck_assert(!build_cell_is_seen(&report, &cell));
	report_free(&report);
}

/* A cell that was timed: its median with the interval. */
#define TIMED(status_, median, low, high, samples_, seed_, checksum_)                              \
	{                                                                                          \
		.category = "copy", .kernel = "kernel", .element_bytes = 4, .threads = 1,          \
		.cache = "warm", .status = status_, .median_ns = median, .low_ns = low,            \
		.high_ns = high, .samples = samples_, .seed = seed_, .checksum = checksum_         \
	}

/* Each interval by the root of the sum of the squares of two logarithms. */
static const struct {
	struct cell before, after;
	double change, below, above; /* below and above: as factors */
	enum significance significant;
	int other_result;
} pairs[] = {
	{TIMED("ok", 100, 95, 110, 6, 1, "a"), TIMED("ok", 121, 110, 133.1, 6, 1, "a"), 0.21,
	 1.1442953, 1.1143107, SIGNIFICANCE_YES, 0},
	{TIMED("ok", 100, 90, 110, 6, 1, "a"), TIMED("ok", 100, 90, 110, 6, 1, "a"), 0, 1.1526613,
	 1.1526613, SIGNIFICANCE_NO, 0},
	{TIMED("ok", 80, 80, 80, 6, 1, "a"), TIMED("ok", 80, 80, 80, 6, 1, "a"), 0, 1, 1,
	 SIGNIFICANCE_NO, 0},
	{TIMED("ok", 121, 110, 133.1, 6, 1, "a"), TIMED("ok", 80, 80, 80, 6, 1, "a"), -41 / 121.0,
	 1.1, 1.1, SIGNIFICANCE_YES, 0},
	{TIMED("ok", 80, 80, 80, 5, 1, "a"), TIMED("ok", 90, 90, 90, 6, 1, "a"), 0.125, NAN, NAN,
	 SIGNIFICANCE_UNKNOWN, 0},
	{TIMED("ok", 80, 80, 80, 6, 1, "a"), TIMED("ok", 90, 90, 90, 5, 1, "b"), 0.125, NAN, NAN,
	 SIGNIFICANCE_UNKNOWN, 1},
	{TIMED("ok", 80, 80, 80, 6, 1, "a"), TIMED("ok", 90, 90, 90, 6, 2, "b"), 0.125, 1, 1,
	 SIGNIFICANCE_YES, 0},
	{TIMED("ok", 80, 80, 80, 6, 1, "a"), TIMED("wrong", 90, 90, 90, 6, 1, "b"), NAN, NAN, NAN,
	 SIGNIFICANCE_UNKNOWN, 0},
	{TIMED("ok", 80, 0, 80, 6, 1, "b"), TIMED("ok", 90, 90, 90, 6, 1, "a"), NAN, NAN, NAN,
	 SIGNIFICANCE_UNKNOWN, 0},
};

TEST_EACH(test_changes, COUNT(pairs))
{
	struct suite_comparison comparison = {
		.sides = {{"a", &pairs[_i].before, 1}, {"b", &pairs[_i].after, 1}}};
	const struct suite_row *row;
	double factor = 1 + pairs[_i].change;

	ck_assert_int_eq(suite_compare(&comparison, NULL), 0);
	ck_assert_uint_eq(comparison.nrows, 1);
	row = comparison.rows;
	ck_assert_int_eq((int)row->significant, (int)pairs[_i].significant);
	ck_assert_int_eq(row->other_result, pairs[_i].other_result);
	check_equal(1 + row->change, factor);
	ck_assert_int_eq(isnan(row->low), isnan(pairs[_i].below));
	ck_assert_int_eq(isnan(row->high), isnan(pairs[_i].below));
	if (isnan(pairs[_i].below))
		return free(comparison.rows);
	ck_assert_double_eq_tol(1 + row->low, factor / pairs[_i].below, 1e-6);
	ck_assert_double_eq_tol(1 + row->high, factor * pairs[_i].above, 1e-6);
	free(comparison.rows);
}

/* Cells are the same that differ in none of these. */
TEST(test_which_cells_are_compared)
{
	struct cell one = TIMED("ok", 100, 90, 110, 6, 1, "a");
	struct cell others[] = {one, one, one, one, one, one, one, one, one, one, one};
	struct suite_comparison comparison = {
		.sides = {{"a", others, COUNT(others)}, {"b", &one, 1}}};
	struct error err;

	strcpy(others[1].category, "peak");
	strcpy(others[2].kernel, "other");
	strcpy(others[3].cache, "cold");
	others[4].m = 1;
	others[5].n = 1;
	others[6].k = 1;
	others[7].element_bytes = 8;
	others[8].offset_bytes = 4;
	others[9].threads = 2;
	strcpy(others[10].status, "wrong");
	ck_assert_int_eq(suite_compare(&comparison, &err), 0);
	ck_assert_uint_eq(comparison.nrows, 2);
	ck_assert_uint_eq(comparison.sides[0].alone, 9);
	ck_assert_uint_eq(comparison.sides[1].alone, 0);
	free(comparison.rows);
	comparison =
		(struct suite_comparison){.sides = {{"b", &one, 1}, {"a", others, COUNT(others)}}};
	ck_assert_int_eq(suite_compare(&comparison, &err), 0);
	ck_assert_uint_eq(comparison.sides[0].alone, 0);
	ck_assert_uint_eq(comparison.sides[1].alone, 10);
	free(comparison.rows);
	comparison = (struct suite_comparison){.sides = {{"b", &one, 1}, {"a", others + 1, 9}}};
	ck_assert_int_eq(suite_compare(&comparison, &err), -1);
	ck_assert(strstr(err.what, "'b' and 'a' have no cell in common") && *err.remedy);
	free(comparison.rows);
}

TEST(test_the_worst_change)
{
	struct suite_row rows[] = {
		{.change = 0.2, .significant = SIGNIFICANCE_YES},
		{.change = 0.3, .significant = SIGNIFICANCE_YES},
		{.change = 0.25, .significant = SIGNIFICANCE_YES},
		{.change = 0.3, .significant = SIGNIFICANCE_YES},
		{.change = 0.9, .significant = SIGNIFICANCE_NO},
		{.change = 0.9, .significant = SIGNIFICANCE_UNKNOWN},
	};
	struct suite_comparison comparison = {.rows = rows, .nrows = COUNT(rows)};

	ck_assert_ptr_eq(suite_worst(&comparison, 0.1), &rows[1]);
	ck_assert_ptr_null(suite_worst(&comparison, 0.3));
}

TEST(test_names)
{
	struct cell product = {.kernel = "sgemm", .m = 64, .n = 32, .k = 16, .threads = 1};
	struct cell copy = {.kernel = "copy", .n = 1000, .offset_bytes = 4, .threads = 2};

	strcpy(copy.cache, "cold");
	ck_assert_str_eq(cell_name(&product), "sgemm 64 x 32 x 16, 1 thread");
	ck_assert_str_eq(cell_name(&copy), "copy 1000 + 4 bytes, 2 threads, cold");
}
