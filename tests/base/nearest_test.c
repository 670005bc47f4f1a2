/* nearest_test.c: misspelt names find the most similar ones. */
/* SPDX-License-Identifier: MIT */

#include "base/nearest.h"
#include "tests/unit.h"

static const char *const names[] = {"cycles",		"instructions",	 "cache-misses",
				    "cache-references", "cycles",	 "page-faults",
				    "cpu-clock",	"branch-misses", "BRANCH_LOADS"};

static const struct {
	const char *wanted, *list;
} errors[] = {
	{"cycels", "cycles, cpu-clock, cache-misses"},
	{"branch-load", "BRANCH_LOADS, branch-misses, cpu-clock"},
	{"CACHE_MISES", "cache-misses, branch-misses, cycles"},
};

TEST_EACH(typing_errors, COUNT(errors))
{
	struct nearest nearest = {.wanted = errors[_i].wanted};
	char text[256];

	for (int i = 0; i < COUNT(names); i++)
		nearest_offer(&nearest, names[i]);
	nearest_list(&nearest, ", ", text, sizeof text);
	ck_assert_str_eq(text, errors[_i].list);
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

/* Names that are not near are all listed, if they are few. */
TEST(all_names)
{
	static const char *const few[] = {"top", "try", "list"};
	struct nearest far = {.wanted = "bogus"}, near = {.wanted = "lis"};

	for (int i = 0; i < COUNT(few); i++) {
		nearest_offer(&far, few[i]);
		nearest_offer(&near, few[i]);
	}
	ck_assert_str_eq(nearest_all(&far), "top, try, list");
	ck_assert_ptr_null(nearest_all(&near));
	for (int i = 0; i < 100; i++)
		nearest_offer(&far, names[i % COUNT(names)]);
	ck_assert_ptr_null(nearest_all(&far));
}
