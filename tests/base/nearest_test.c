/* nearest_test.c: wrong names find those that they were meant to be. */
/* SPDX-License-Identifier: MIT */
#include <check.h>

#include "base/nearest.h"

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

START_TEST(typing_errors)
{
	expect_nearest("cycels", "cycles, cpu-clock, cache-misses");
	expect_nearest("branch-load", "BRANCH_LOADS, branch-misses, cpu-clock");
	expect_nearest("CACHE_MISES", "cache-misses, branch-misses, cycles");
}
END_TEST

START_TEST(nothing_offered)
{
	struct nearest nearest = {.wanted = "x"};
	char text[8] = "old";

	nearest_list(&nearest, ", ", text, sizeof text);
	ck_assert_str_eq(text, "");
	nearest_offer(&nearest, "a-long-name");
	nearest_list(&nearest, ", ", text, sizeof text);
	ck_assert_str_eq(text, "a-long-");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("nearest");
	TCase *tests = tcase_create("names");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tests, typing_errors);
	tcase_add_test(tests, nothing_offered);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
