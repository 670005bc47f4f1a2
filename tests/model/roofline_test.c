/* roofline_test.c: tests ceilings and what holds calls back. */
/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "model/roofline.h"
#include "tests/unit.h"

/* 100 GFLOP/s single and 50 double, 10 GB/s of memory, on each of two CPUs; memory gives only 15 to
 * both. */
static const struct ceilings machine = {
	.cpus = 2,
	.flops_per_s = {{100e9, 200e9}, {50e9, 100e9}},
	.bytes_per_s = {{200e9, 400e9}, {100e9, 200e9}, {0, 0}, {10e9, 15e9}},
	.cache_bytes = {32e3, 1e6, 0},
};

TEST(text_and_back)
{
	char text[CEILINGS_TEXT_MAX], again[CEILINGS_TEXT_MAX];
	struct ceilings read;

	ck_assert_int_eq(ceilings_parse(ceilings_text(&machine, text), &read), 0);
	ck_assert_str_eq(ceilings_text(&read, again), text);
	ck_assert_double_eq(read.bytes_per_s[LEVEL_MEMORY].all, 15e9);
	ck_assert_double_eq(read.cache_bytes[LEVEL_L2], 1e6);
	ck_assert_double_eq(read.cache_bytes[LEVEL_L3], 0);
}
#define PEAKS "peak_single_1=1 peak_single_all=1 peak_double_1=1 "
#define WHOLE PEAKS "cpus=1 peak_double_all=1 memory_1=1 memory_all=1"

static const char *const damaged[] = {
	"",
	"cpus",
	"=3",
	WHOLE " l1_1=1x",
	WHOLE " l1_1=",
	WHOLE " l1_1=-1",
	WHOLE " l1_1=0",
	WHOLE " l1_1=inf",
	WHOLE " cpus=nan",
	WHOLE " cpus=0.9",
	PEAKS "cpus=1 memory_1=1 memory_all=1",
	PEAKS "cpus=1 peak_double_all=1 memory_1=1",
	PEAKS "cpus=1 peak_double_all=1 memory_all=1",
	"cpus=1 peak_single_all=1 peak_double_1=1 peak_double_all=1 memory_1=1 memory_all=1",
};

TEST_EACH(damaged_text, COUNT(damaged))
{
	struct ceilings read;

	ck_assert_int_eq(ceilings_parse(WHOLE, &read), 0);
	ck_assert_int_eq(ceilings_parse(damaged[_i], &read), -1);
	ck_assert_double_eq(read.cpus, 0);
}

TEST(part_of_a_thread)
{
	const struct ceiling *memory = &machine.bytes_per_s[LEVEL_MEMORY];
	struct ceilings three = machine;

	ck_assert_double_eq(ceiling_of_thread(&machine, memory, 1), 10e9);
	ck_assert_double_eq(ceiling_of_thread(&machine, memory, 2), 7.5e9);
	ck_assert_double_eq(ceiling_of_thread(&machine, memory, 8), 7.5e9);
	ck_assert_double_eq(ceiling_of_thread(&machine, memory, 1.5), 12.5e9 / 1.5);
	three.cpus = 3;
	ck_assert_double_eq(ceiling_of_thread(&three, memory, 2), 12.5e9 / 2);
}
/* flops, bytes, mean and least time; what is to come out */
static const struct {
	struct roofline_call call;
	enum bound bound;
	enum level level;
	double ceiling, share;
} calls[] = {
	/* far over the ridge: 4e9 flops take 40 ms at the peak */
	{{PRECISION_SINGLE, 4e9, 4e7, 80e6, 80e6, 1, 1}, BOUND_COMPUTE, LEVEL_MEMORY, 100e9, 0.5},
	{{PRECISION_DOUBLE, 4e9, 4e7, 80e6, 80e6, 1, 1}, BOUND_COMPUTE, LEVEL_MEMORY, 50e9, 1},
	/* one call on both CPUs has all of it */
	{{PRECISION_SINGLE, 4e9, 4e7, 80e6, 80e6, 1, 2}, BOUND_COMPUTE, LEVEL_MEMORY, 200e9, 0.25},
	/* two flops for four bytes, from memory, and shared with another caller */
	{{PRECISION_SINGLE, 2e6, 4e6, 800e3, 800e3, 1, 1}, BOUND_MEMORY, LEVEL_MEMORY, 5e9, 0.5},
	{{PRECISION_SINGLE, 2e6, 4e6, 800e3, 800e3, 2, 1},
	 BOUND_MEMORY,
	 LEVEL_MEMORY,
	 3.75e9,
	 2 / 3.0},
	{{PRECISION_SINGLE, 2e6, 4e6, 800e3, 800e3, 9, 1},
	 BOUND_MEMORY,
	 LEVEL_MEMORY,
	 3.75e9,
	 2 / 3.0},
	/* a copy does no flops at all, from L2 */
	{{PRECISION_SINGLE, 0, 1e6, 20e3, 20e3, 1, 1}, BOUND_MEMORY, LEVEL_L2, 0, 0.5},
	/* 1000 flops need 10 ns: over half is start-up, as the shortest call shows */
	{{PRECISION_SINGLE, 1000, 800, 100, 90, 1, 1}, BOUND_LATENCY, LEVEL_L1, 100e9, 0.1},
	/* the same work, when others of the routine take next to nothing: the call itself is slow
	 */
	{{PRECISION_SINGLE, 1000, 800, 100, 20, 1, 1}, BOUND_COMPUTE, LEVEL_L1, 100e9, 0.1},
	/* a slow library's large call is no start-up, though it is the only one seen */
	{{PRECISION_SINGLE, 4e6, 4e5, 1e6, 1e6, 1, 1}, BOUND_COMPUTE, LEVEL_L2, 100e9, 0.04},
	/* half is start-up, half of it is enough; as long for the operands as for the flops */
	{{PRECISION_SINGLE, 1000, 800, 20, 10, 1, 1}, BOUND_LATENCY, LEVEL_L1, 100e9, 0.5},
	{{PRECISION_SINGLE, 4e5, 4e5, 8e3, 20, 1, 1}, BOUND_COMPUTE, LEVEL_L2, 100e9, 0.5},
	/* near the ceiling no start-up matters */
	{{PRECISION_SINGLE, 1000, 800, 15, 15, 1, 1}, BOUND_COMPUTE, LEVEL_L1, 100e9, 2 / 3.0},
};
TEST_EACH(bounds, COUNT(calls))
{
	struct roofline roofline = roofline_call(&machine, &calls[_i].call);

	ck_assert_int_eq(roofline.bound, calls[_i].bound);
	ck_assert_int_eq(roofline.level, calls[_i].level);
	ck_assert_double_eq_tol(roofline.intensity, calls[_i].call.flops / calls[_i].call.bytes,
				1e-9);
	ck_assert_double_eq_tol(roofline.ceiling_flops_per_s, calls[_i].ceiling, 1);
	ck_assert_double_eq_tol(roofline.share, calls[_i].share, 1e-9);
}
TEST(unknown)
{
	struct roofline_call call = calls[0].call;
	const struct ceilings none = {0};

	ck_assert_int_eq(roofline_call(&none, &call).bound, BOUND_UNKNOWN);
	ck_assert(isnan(roofline_call(&none, &call).share));
	call.mean_ns = 0;
	ck_assert_int_eq(roofline_call(&machine, &call).bound, BOUND_UNKNOWN);
	call = (struct roofline_call){.mean_ns = 100, .callers = 1, .each = 1};
	call.flops = 1;
	ck_assert(isnan(roofline_call(&machine, &call).intensity));
	call.flops = 0;
	ck_assert_int_eq(roofline_call(&machine, &call).bound, BOUND_UNKNOWN);
}

/* The nearest memory that holds the operands, and whose bandwidth is known. */
TEST(nearest_memory)
{
	static const struct {
		double bytes;
		enum level level;
	} cases[] = {
		{1, LEVEL_L1},	 {32e3, LEVEL_L1},	  {32e3 + 1, LEVEL_L2},
		{1e6, LEVEL_L2}, {1e6 + 1, LEVEL_MEMORY}, {1e12, LEVEL_MEMORY},
	};
	struct ceilings other = machine;
	struct roofline_call call = {.flops = 1, .mean_ns = 1e6, .callers = 1, .each = 1};

	other.cache_bytes[LEVEL_L3] = 1e15; /* not measured */
	for (size_t i = 0; i < COUNT(cases); i++) {
		call.bytes = cases[i].bytes;
		ck_assert_int_eq((int)roofline_call(&machine, &call).level, (int)cases[i].level);
		ck_assert_int_eq((int)roofline_call(&other, &call).level, (int)cases[i].level);
	}
}
