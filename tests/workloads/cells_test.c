/* cells_test.c: kernels agree with their twins, wrong results are found, and times are ordered. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cells/suite.h"
#include "fused.h"
#include "tests/scratch.h"
#include "tests/unit.h"

static volatile sig_atomic_t stop;
static const struct limits quick = {.threads = 1, .seconds = 0, .stop = &stop};
static struct cell cell;

static const struct kernel *find_kernel(const char *category, const char *name)
{
	for (int t = 0; kernel_tables[t]; t++)
		for (const struct kernel *kernel = kernel_tables[t]; kernel->name; kernel++)
			if (!strcmp(kernel->category, category) && !strcmp(kernel->name, name))
				return kernel;
	ck_abort_msg("no kernel %s", name);
	return NULL;
}

FIXTURE(scratch_enter, scratch_leave)

TEST(every_kernel_agrees_with_its_twin)
{
	int kernels = 0;

	for (int t = 0; kernel_tables[t]; t++)
		for (const struct kernel *kernel = kernel_tables[t]; kernel->name; kernel++) {
			if (kernel->missing && kernel->missing())
				continue;
			cell_measure(&cell, kernel, kernel->sizes[0], &quick, NULL);
			ck_assert_msg(cell.status == CELL_OK, "%s: %s", kernel->name, cell.note);
			ck_assert_uint_gt(cell.check.compared, 0);
			ck_assert_double_gt(kernel_bytes(kernel, kernel->sizes[0]), 0);
			kernels++;
		}
	ck_assert_int_ge(kernels, 20);
}

TEST(odd_sizes_agree_too)
{
	static const struct size sizes[] = {{1, 1, 1, 0}, {3, 5, 7, 4}, {17, 1, 33, 8}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		cell_measure(&cell, find_kernel("product", "cblas_sgemm"), sizes[i], &quick, NULL);
		ck_assert_msg(cell.status == CELL_OK, "%s", cell.note);
		ck_assert_uint_eq(cell.check.compared, (size_t)(sizes[i].m * sizes[i].n));
	}
}

/* Sizes with every kind of remainder at the right and at the bottom of the blocks. */
TEST(fused_layers_of_odd_sizes_agree)
{
	static const struct size sizes[] = {{1, 1, 1, 0},    {3, 5, 7, 0},    {29, 8, 4, 0},
					    {7, 15, 3, 4},   {13, 47, 5, 8},  {17, 33, 9, 4},
					    {16, 100, 1, 0}, {28, 64, 31, 0}, {1, 31, 2, 12}};
	const struct kernel *kernel = find_kernel("fusion", "gemm-bias-gelu-fused");

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		cell_measure(&cell, kernel, sizes[i], &quick, NULL);
		ck_assert_msg(cell.status == CELL_OK, "%ld x %ld x %ld: %s", sizes[i].m, sizes[i].n,
			      sizes[i].k, cell.note);
	}
}

/* With a product of zeros the result is GELU of the bias. Each number of columns uses vectors of
 * another width. */
TEST_EACH(fused_gelu_is_right_for_large_inputs, 4)
{
	static const float zeros[64],
		biases[32] = {-100,  -20,   -9,	   -5.5f, -3, -1, -1e-3f, 0,
			      1e-3f, 0.25f, 0.75f, 2,	  4,  9,  20,	  100};
	const int columns[] = {1, 8, 16, 32};
	const int n = columns[_i];
	float y[3 * 32];

	gemm_bias_gelu(y, zeros, zeros, biases, 3, n, 2);
	for (int i = 0; i < 3 * n; i++) {
		const double x = (double)biases[i % n];
		const double u = 2 * sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
		const double expected = x / (1 + exp(-fmax(u, -59)));
		/* the rounding error of u becomes a relative error of the result */
		const double bound = fabs(expected) * (1e-6 + 3e-7 * fabs(fmax(u, -70)));

		if (u > -59)
			ck_assert(fabs((double)y[i] - expected) <= bound);
		else
			ck_assert_double_le(fabs((double)y[i]), fabs(expected));
	}
	y[0] = NAN;
	gemm_bias_gelu(y + 32, zeros, zeros, y, 1, n, 1);
	ck_assert_float_nan(y[32]);
}

/* With six rounds the interval is that of their medians; with fewer it contains all of their
 * intervals. */
TEST(rounds_are_summarised)
{
	static struct rounds rounds;
	const double medians[] = {5, 3, 9, 4, 8, 6};

	for (int i = 0; i < 6; i++) {
		struct cell *round = &rounds.cells[i];

		round->mhz_before = round->mhz_after = 2000;
		round->times = (struct times){.samples = 3, .runs = 1, .joules = 2};
		round->times.median = medians[i];
		round->times.low = round->times.min = medians[i] - 1;
		round->times.high = round->times.max = medians[i] + 1;
	}
	rounds.count = 2;
	cell = rounds_sum(&rounds);
	ck_assert_double_eq(cell.times.median, 4);
	ck_assert(cell.times.low == 2 && cell.times.high == 6 && cell.times.samples == 6);
	rounds.count = ROUNDS_FOR_INTERVAL;
	rounds.cells[4].mhz_after = 1500;
	cell = rounds_sum(&rounds);
	ck_assert_double_eq(cell.times.median, 5.5);
	ck_assert(cell.times.low == 3 && cell.times.high == 9);
	ck_assert(cell.times.min == 2 && cell.times.max == 10 && cell.times.samples == 18);
	ck_assert_double_eq(cell.times.joules, 2);
	ck_assert_str_eq(cell.note, "the CPU's frequency changed, from 1500 to 2000 MHz");
	rounds.cells[3].status = CELL_WRONG;
	ck_assert_int_eq(rounds_sum(&rounds).status, CELL_WRONG);
}

/* The interval contains the median of the rounds' distribution as often as cell.h says: 96.9 % with
 * six rounds. */
TEST(intervals_contain_the_median)
{
	static struct rounds rounds;
	unsigned short state[3] = {1, 2, 3};
	const int tries = 20000;
	int held = 0;

	rounds.count = ROUNDS_FOR_INTERVAL;
	for (int i = 0; i < tries; i++) {
		for (int j = 0; j < rounds.count; j++)
			rounds.cells[j].times.median = -log(erand48(state));
		cell = rounds_sum(&rounds);
		held += cell.times.low <= M_LN2 && M_LN2 <= cell.times.high;
	}
	ck_assert_double_eq_tol((double)held / tries, 1 - 2.0 / 64, 0.005);
}

TEST(time_left_is_as_expected_first_and_as_measured_later)
{
	struct progress progress = {.all_s = 100};

	ck_assert_double_eq(progress_left_s(&progress, 0), 100);
	progress.done_s = 1;
	ck_assert(progress_left_s(&progress, 2) > 99 && progress_left_s(&progress, 2) < 198);
	progress.done_s = 50;
	ck_assert_double_eq_tol(progress_left_s(&progress, 50), 50, 1e-9);
	ck_assert(progress_left_s(&progress, 100) > 90 && progress_left_s(&progress, 100) < 100);
	progress.done_s = 101;
	ck_assert_double_eq(progress_left_s(&progress, 200), 0);
}

static void (*right_run)(struct operands *);
static int wrong_element;

static void run_wrong(struct operands *operands)
{
	float *result = operands->buffer[2];

	right_run(operands);
	result[wrong_element] += 0.001f;
}

/* An element with an error of 0.001 is found wherever it is, also at both ends of a result of which
 * only a part is compared, and the cell is not timed. */
static const struct {
	const char *category, *kernel;
	struct size size;
	int element;
} wrongs[] = {
	{"product", "cblas_sgemm", {16, 16, 16, 0}, 0},
	{"product", "cblas_sgemm", {16, 16, 16, 0}, 100},
	{"product", "cblas_sgemm", {16, 16, 16, 0}, 255},
	{"elementwise", "add", {.n = 100000}, 0},
	{"elementwise", "add", {.n = 100000}, 99999},
};

TEST_EACH(a_wrong_element_is_found, COUNT(wrongs))
{
	struct kernel wrong = *find_kernel(wrongs[_i].category, wrongs[_i].kernel);

	right_run = wrong.run;
	wrong.run = run_wrong;
	wrong_element = wrongs[_i].element;
	cell_measure(&cell, &wrong, wrongs[_i].size, &quick, NULL);
	ck_assert_int_eq(cell.status, CELL_WRONG);
	ck_assert_uint_eq(cell.check.wrong, 1);
	ck_assert_uint_eq(cell.check.first, (size_t)wrongs[_i].element);
	ck_assert_int_eq(cell.times.samples, 0);
	ck_assert_has(cell.note, _i < 3 ? "1 of 256 elements" : "1 of ");
}

TEST_EACH(times_are_in_order, 3)
{
	struct limits limits = {.threads = _i + 1, .seconds = 0.02, .stop = &stop};
	const struct times *t = &cell.times;

	cell_measure(&cell, find_kernel("copy", "copy"), (struct size){.n = 4096}, &limits, NULL);
	ck_assert_int_eq(cell.status, CELL_OK);
	ck_assert_int_ge(t->samples, 3);
	ck_assert_int_ge(t->runs, 1);
	ck_assert_double_gt(t->min, 0);
	ck_assert(t->min <= t->low && t->low <= t->median);
	ck_assert(t->median <= t->high && t->high <= t->max);
}

TEST(a_cold_sample_has_one_run)
{
	struct limits limits = {.threads = 1, .cold = 1, .stop = &stop};

	cell_measure(&cell, find_kernel("copy", "copy"), (struct size){.n = 4096}, &limits, NULL);
	ck_assert_int_eq(cell.status, CELL_OK);
	ck_assert_int_eq(cell.times.runs, 1);
}

TEST(a_cell_that_does_not_fit_memory_is_left_out)
{
	cell_measure(&cell, find_kernel("elementwise", "add"), (struct size){.n = 1l << 50}, &quick,
		     NULL);
	ck_assert_int_eq(cell.status, CELL_LEFT_OUT);
	ck_assert_has(cell.note, "MiB");
}

static const char *no_such_routine(void)
{
	return "this BLAS has no such routine";
}

TEST(a_missing_routine_is_left_out)
{
	struct kernel missing = *find_kernel("elementwise", "add");

	missing.missing = no_such_routine;
	cell_measure(&cell, &missing, missing.sizes[0], &quick, NULL);
	ck_assert_int_eq(cell.status, CELL_LEFT_OUT);
	ck_assert_str_eq(cell.note, no_such_routine());
}

TEST(a_stopped_cell_says_so)
{
	stop = 1;
	cell_measure(&cell, find_kernel("copy", "copy"), (struct size){.n = 4096}, &quick, NULL);
	stop = 0;
	ck_assert_int_eq(cell.status, CELL_STOPPED);
}

TEST(the_checksum_depends_on_the_seed_alone)
{
	const struct kernel *kernel = find_kernel("elementwise", "multiply");
	uint64_t first;

	cell_measure(&cell, kernel, kernel->sizes[0], &quick, NULL);
	first = cell.check.checksum;
	cell_measure(&cell, kernel, kernel->sizes[0], &quick, NULL);
	ck_assert_uint_eq(cell.check.checksum, first);
	input_seed = 5;
	cell_measure(&cell, kernel, kernel->sizes[0], &quick, NULL);
	input_seed = 0;
	ck_assert_int_eq(cell.status, CELL_OK);
	ck_assert_uint_ne(cell.check.checksum, first);
}

/* Representable values are kept; others are rounded to the nearest, ties to even. */
TEST(elements_are_rounded)
{
	static const struct {
		enum element element;
		double input, value;
	} cases[] = {
		{ELEMENT_BFLOAT16, 0.5, 0.5},
		{ELEMENT_BFLOAT16, -1, -1},
		{ELEMENT_BFLOAT16, 1 + 0x1p-8, 1},
		{ELEMENT_BFLOAT16, 1 + 0x3p-8, 1 + 0x1p-6},
		{ELEMENT_BFLOAT16, -0.3, -0.30078125},
		{ELEMENT_HALF, 0, 0},
		{ELEMENT_HALF, 1 + 0x1p-11, 1},
		{ELEMENT_HALF, 1 + 0x3p-11, 1 + 0x1p-9},
		{ELEMENT_HALF, 2 - 0x1p-12, 2},
		{ELEMENT_HALF, -0.1, -0.0999755859375},
		{ELEMENT_HALF, 0x1p-24, 0x1p-24},
		{ELEMENT_HALF, 0x1p-14 - 0x1p-26, 0x1p-14},
		{ELEMENT_HALF, 0x1p-26, 0},
		{ELEMENT_HALF, 65504, 65504},
		{ELEMENT_INT8, -1, -127},
		{ELEMENT_INT8, 0.5, 64},
		{ELEMENT_UINT8, -0.25, 32},
		{ELEMENT_FLOAT, 0.1, (double)0.1f},
		{ELEMENT_DOUBLE, 0.1, 0.1},
	};
	double buffer[2];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		double value = element_rounded(cases[i].element, cases[i].input);

		ck_assert_msg(value == cases[i].value, "%zu: %.17g is %.17g", i, cases[i].input,
			      value);
		element_store(cases[i].element, buffer, 1, cases[i].input);
		ck_assert_double_eq(element_load(cases[i].element, buffer, 1), cases[i].value);
	}
	ck_assert_double_infinite(element_rounded(ELEMENT_HALF, 65520));
}

TEST(energy_is_summed_over_packages)
{
	ck_assert_double_eq(energy_joules("."), 0);
	scratch_text("intel-rapl:0/energy_uj", "2500000\n");
	scratch_text("intel-rapl:0:0/energy_uj", "77\n"); /* part of the package above */
	ck_assert_double_eq_tol(energy_joules("."), 2.5, 1e-9);
	scratch_text("intel-rapl:1/energy_uj", "1000000\n");
	ck_assert_double_eq_tol(energy_joules("."), 3.5, 1e-9);
	scratch_text("intel-rapl:1/energy_uj", "garbage\n");
	ck_assert_double_eq(energy_joules("."), 0);
}
