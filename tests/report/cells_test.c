/* cells_test.c: measured kernels beside the best of the machine. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "fixture.h"
#include "report/build.h"
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
};

static void build(const struct run *runs, size_t nruns)
{
	struct report_options options = REPORT_OPTIONS_DEFAULT;
	struct error err;

	options.cells = cells;
	options.ncells = COUNT(cells);
	ck_assert(!report_build(runs, nruns, &options, &report, &err));
}

/* Of the cells that are no peak and no copy. */
static const struct {
	double bytes, peak_gflops, peak_gbytes, share;
	int threads;
} bests[] = {
	{5e5, 100, 30, 0.8, 1}, {1e9, 50, 12, 0.75, 1},	     {1e8, 180, 15, 0.8, 2},
	{1e6, 100, 30, 0.5, 1}, {1e6 + 1, 100, 12, 0.25, 1}, {1e3, NAN, NAN, NAN, 3},
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

	build(NULL, 0);
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
 * measured go before. */
TEST_EACH(test_ceilings_of_cells, 4)
{
	struct run run;
	size_t wanted = _i < 2 ? COUNT(ceilings) : 0;

	fixture_run(&run, 1, SECOND, 0.5, 0.5);
	if (_i == 2)
		run_add_fact(&run, "cpu", "another");
	if (_i == 3)
		run_add_fact(&run, "ceilings",
			     "cpus=1 peak_single_1=1 peak_single_all=1 peak_double_1=1 "
			     "peak_double_all=1 memory_1=1 memory_all=1");
	build(&run, _i > 0);
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

	build(NULL, 0);
	ck_assert(build_cell_is_seen(&report, &cell));
	cell.threads = 0;
	ck_assert(!build_cell_is_seen(&report, &cell));
	cell.threads = 1;
	strcpy(cell.status, "left out");
	ck_assert(!build_cell_is_seen(&report, &cell));
	report_free(&report);
}
