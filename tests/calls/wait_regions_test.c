/* wait_regions_test.c: checks to which region a wait is assigned. */
/* SPDX-License-Identifier: MIT */

#include "base/memory.h"
#include "base/string_pool.h"
#include "calls/records.h"
#include "tests/unit.h"

static struct wait_regions regions;

static void add(int64_t tid, int64_t start_ns, int64_t end_ns, const char *name)
{
	struct region_visit row = {100, tid, start_ns, end_ns, string_pooled(name)};

	memory_append(&regions.visits, &regions.nvisits, sizeof row, &row);
}

static const char *find(int64_t pid, int64_t tid, int64_t start_ns, int64_t end_ns, int exact)
{
	struct region_visit wait = {.pid = pid, .tid = tid, .start_ns = start_ns, .end_ns = end_ns};

	return wait_regions_find(&regions, &wait, exact);
}

/* Rows of two threads, in no particular order. */
static void setup(void)
{
	add(2, 1000, 2000, "b");
	add(1, 5000, INT64_MAX, "c");
	add(1, 1000, 2000, "a");
	add(1, 2000, 3000, "b");
	wait_regions_sort(&regions);
}

static void teardown(void)
{
	wait_regions_free(&regions);
}

FIXTURE(setup, teardown)

TEST(test_exact)
{
	ck_assert_str_eq(find(100, 1, 1100, 1900, 1), "a");
	ck_assert_str_eq(find(100, 1, 1990, 2900, 1), "b"); /* the clocks differ slightly */
	ck_assert_str_eq(find(100, 2, 1100, 1900, 1), "b");
	ck_assert_str_eq(find(100, 1, 100, 900, 1), "");
	ck_assert_str_eq(find(100, 1, 3100, 3200, 1), "");
	ck_assert_str_eq(find(100, 1, 7000, 9000, 1), "c"); /* never ended */
	ck_assert_str_eq(find(100, 3, 1100, 1900, 1), "");
	ck_assert_str_eq(find(101, 1, 1100, 1900, 1), "");
}

TEST(test_folded)
{
	ck_assert_str_eq(find(100, 1, 1100, 1900, 0), "a");
	ck_assert_str_eq(find(100, 1, 1500, 2500, 0), "?"); /* two regions */
	ck_assert_str_eq(find(100, 1, 500, 1500, 0), "?");  /* partly in none */
	ck_assert_str_eq(find(100, 1, 2500, 3500, 0), "?");
	ck_assert_str_eq(find(100, 1, 3500, 4500, 0), "");
	ck_assert_str_eq(find(100, 3, 1100, 1900, 0), "");
}

TEST(test_missing)
{
	struct region_visit gap = {.pid = 100, .start_ns = 3000};

	memory_append(&regions.gaps, &regions.ngaps, sizeof gap, &gap);
	ck_assert_str_eq(find(100, 1, 1100, 1900, 1), "a");
	ck_assert_str_eq(find(100, 1, 100, 900, 1), "");
	ck_assert_str_eq(find(100, 1, 3100, 3200, 1), "?");
	ck_assert_str_eq(find(100, 3, 3100, 3200, 0), "?");
	ck_assert_str_eq(find(101, 1, 3100, 3200, 1), "");
}

TEST(test_names)
{
	add(4, 1000, 2000, "?"); /* a program's own */
	wait_regions_sort(&regions);
	ck_assert_ptr_ne(find(100, 4, 1100, 1900, 1), region_unknown);
	ck_assert_ptr_eq(find(100, 1, 1500, 2500, 0), region_unknown);
}
