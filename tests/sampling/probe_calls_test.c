/* probe_calls_test.c: entries and returns become outermost calls, however a call is left. */
/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "blas/routines.h"
#include "sampling/timeline.h"
#include "tests/unit.h"

enum { TOP = 4096, WORD = 8 };

static struct probe_calls calls;

static void setup(void)
{
	probe_calls_init(&calls, 2);
}

static void teardown(void)
{
	probe_calls_free(&calls);
}

FIXTURE(setup, teardown)

TEST(nested_calls_belong_to_the_outermost)
{
	probe_calls_enter(&calls, 3, 0, TOP, 100, NULL);
	probe_calls_enter(&calls, 3, 1, TOP - 64, 110, NULL);
	probe_calls_return(&calls, 3, TOP - 64 + WORD, 120);
	probe_calls_return(&calls, 3, TOP + WORD, 150);
	ck_assert_uint_eq(calls.threads[3].calls, 1);
	ck_assert_int_eq(calls.threads[3].inside_ns, 50);
	ck_assert_int_eq(calls.threads[3].first_ns, 100);
	ck_assert_int_eq(calls.threads[3].last_ns, 150);
	ck_assert_uint_eq(calls.rows[0].row.calls, 1);
	ck_assert_uint_eq(calls.rows[1].row.calls, 0);
	ck_assert_uint_eq(calls.threads[0].calls, 0);
}

TEST(jump_to_another_routine_continues_the_call)
{
	probe_calls_enter(&calls, 0, 0, TOP, 100, NULL);
	probe_calls_enter(&calls, 0, 1, TOP, 105, NULL);
	probe_calls_return(&calls, 0, TOP + WORD, 160);
	probe_calls_return(&calls, 0, TOP + WORD, 160); /* both routines have a return */
	ck_assert_uint_eq(calls.threads[0].calls, 1);
	ck_assert_int_eq(calls.rows[0].row.total_ns, 60);
}

TEST(calls_left_by_a_jump_are_forgotten)
{
	probe_calls_enter(&calls, 0, 0, TOP, 100, NULL);
	probe_calls_enter(&calls, 0, 0, TOP, 1000, NULL);
	probe_calls_return(&calls, 0, TOP + WORD, 1010);
	probe_calls_enter(&calls, 0, 0, TOP - 128, 2000, NULL);
	probe_calls_enter(&calls, 0, 1, TOP, 3000, NULL);
	probe_calls_return(&calls, 0, TOP + WORD, 3005);
	ck_assert_uint_eq(calls.threads[0].calls, 2);
	ck_assert_int_eq(calls.threads[0].inside_ns, 15);
}

TEST(return_without_entry_counts_nothing)
{
	probe_calls_return(&calls, 0, TOP, 100);
	ck_assert_uint_eq(calls.threads[0].calls, 0);
}

TEST(time_off_the_cpu_counts_inside_calls)
{
	probe_calls_off(&calls, 0, 1, 7);
	probe_calls_enter(&calls, 0, 0, TOP, 100, NULL);
	probe_calls_off(&calls, 0, 1, 20);
	probe_calls_off(&calls, 0, 0, 30);
	probe_calls_return(&calls, 0, TOP + WORD, 200);
	probe_calls_off(&calls, 0, 0, 9);
	ck_assert_int_eq(calls.threads[0].preempted_ns, 20);
	ck_assert_int_eq(calls.threads[0].waiting_ns, 30);
}

TEST(cost_of_probes_is_subtracted_once_a_call)
{
	calls.inside_ns = 8;
	for (int i = 0; i < 3; i++) {
		probe_calls_enter(&calls, 0, 0, TOP, 100 * i, NULL);
		probe_calls_return(&calls, 0, TOP + WORD, 100 * i + 5 * (i + 1));
	}
	ck_assert_int_eq(calls.rows[0].row.total_ns, 0 + 2 + 7);
	ck_assert_int_eq(calls.rows[0].row.min_ns, 0);
	ck_assert_int_eq(calls.rows[0].row.max_ns, 7);
}

TEST(calls_are_counted_by_shape_while_there_is_room)
{
	struct probe_shape shape = {'N', 'T', 1, 2, 3};

	for (int i = 0; i < PROBE_SHAPES_MAX + 2; i++, shape.m++) {
		probe_calls_enter(&calls, 0, 1, TOP, 100 * i, &shape);
		probe_calls_return(&calls, 0, TOP + WORD, 100 * i + 1);
	}
	shape.m = 7;
	probe_calls_enter(&calls, 0, 1, TOP, 9000000, &shape);
	probe_calls_return(&calls, 0, TOP + WORD, 9000005);
	ck_assert_uint_eq(calls.nrows - calls.nroutines, PROBE_SHAPES_MAX);
	ck_assert_int_eq(calls.rows[calls.nroutines + 6].row.shape.m, 7);
	ck_assert_uint_eq(calls.rows[calls.nroutines + 6].row.calls, 2);
	ck_assert_int_eq(calls.rows[calls.nroutines + 6].row.total_ns, 6);
	ck_assert_uint_eq(calls.rows[1].row.calls, 2);
	ck_assert_int_eq(calls.rows[1].row.shape.other_shapes, 1);
	ck_assert_int_eq(calls.rows[0].row.shape.other_shapes, 0);
	ck_assert_uint_eq(calls.threads[0].calls, PROBE_SHAPES_MAX + 3);
}

/* A sample at an entry, as the kernel writes it. */
struct entry {
	struct sample_head head;
	uint64_t abi, regs[PROBE_ENTRY_REGS];
	uint64_t stack_asked, stack[PROBE_ENTRY_STACK_BYTES / WORD], stack_there;
};

/* Reads the arguments of a call of the routine: integers and pointers in their order. The first
 * word of the stack is the return address. */
static int read_arguments(const char *name, const uint64_t words[8], struct probe_shape *shape)
{
	static const unsigned char places[] = PROBE_ENTRY_ARGUMENTS;
	struct sample_record sample;
	struct entry entry = {
		.head.header = {PERF_RECORD_SAMPLE, 0, (uint16_t)sizeof entry},
		.abi = PERF_SAMPLE_REGS_ABI_64,
		.stack_asked = PROBE_ENTRY_STACK_BYTES,
		.stack_there = PROBE_ENTRY_STACK_BYTES,
	};

	for (size_t i = 0; i < 8; i++)
		if (i < sizeof places)
			entry.regs[places[i]] = words[i];
		else
			entry.stack[1 + i - sizeof places] = words[i];
	ck_assert_int_eq(sample_record_read(&entry.head.header, PROBE_ENTRY_TYPE, &sample), 0);
	return probe_arguments_read(routine_find(name), &sample, shape);
}

/* The upper half of a register that holds an int may have any value. */
TEST(dimensions_are_read_by_the_calling_convention)
{
	const uint64_t gemm[8] = {101, 112, 111, 0xdead00000000000aull, 11, 12, 1, 1};
	const uint64_t wide[8] = {101, 112, 111, 0x10000000aull, 11, 12, 1, 1};
	const uint64_t trsm[8] = {101, 142, 121, 111, 131, 6, 7, 1};
	const uint64_t dot[8] = {9, 1, 1, 1, 1, 1, 1, 1};
	struct probe_shape shape;

	ck_assert_int_eq(read_arguments("cblas_sgemm", gemm, &shape), 0);
	ck_assert(shape.transa == 112 && shape.transb == 111);
	ck_assert(shape.m == 10 && shape.n == 11 && shape.k == 12);
	ck_assert_int_eq(read_arguments("cblas_dgemm64_", wide, &shape), 0);
	ck_assert_int_eq(shape.m, 0x10000000a);
	ck_assert_int_eq(read_arguments("cblas_ztrsm", trsm, &shape), 0);
	ck_assert(shape.m == 6 && shape.n == 7 && shape.k == 7);
	ck_assert_int_eq(read_arguments("cblas_sdot", dot, &shape), 0);
	ck_assert(shape.m == 0 && shape.n == 9 && shape.k == 0);
	ck_assert_int_eq(read_arguments("sgemm_", gemm, &shape), -1);
	ck_assert_int_eq(read_arguments("cblas_sgemm_batch", gemm, &shape), -1);
	ck_assert_int_eq(read_arguments("no_routine", gemm, &shape), -1);
}
