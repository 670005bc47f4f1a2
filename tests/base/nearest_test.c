/* nearest_test.c: wrong names find those that they were meant to be. */
/* SPDX-License-Identifier: MIT */

#include "base/nearest.h"
#include "tests/unit.h"

static const char *const names[] = {"cycles",		"instructions",	 "cache-misses",
				    "cache-references", "cycles",	 "page-faults",
				    "cpu-clock",	"branch-misses", "BRANCH_LOADS"};

static void expect_nearest(const char *wanted, const char *list)
{
	struct nearest nearest = {.wanted = wanted};
	char text[256];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		nearest_offer(&nearest, names[i]);
	nearest_list(&nearest, ", ", text, sizeof text);
	ck_assert_str_eq(text, list);
}

TEST(typing_errors)
{
	expect_nearest("cycels", "cycles, cpu-clock, cache-misses");
	expect_nearest("branch-load", "BRANCH_LOADS, branch-misses, cpu-clock");
	expect_nearest("CACHE_MISES", "cache-misses, branch-misses, cycles");
}

TEST(nothing_offered)
{
	struct nearest nearest = {.wanted = "x"};
	char text[8] = "old";

	nearest_list(&nearest, ", ", text, sizeof text);
	ck_assert_str_eq(text, "");
	nearest_offer(&nearest, "a-long-name");
	nearest_list(&nearest, ", ", text, sizeof text);
	ck_assert_str_eq(text, "a-long-");
}
