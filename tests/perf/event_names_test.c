/* event_names_test.c: the argument of -e: lists, groups and sets; energy by the files of /sys. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "perf/event_list.h"
#include "tests/unit.h"

#define SERVER TEST_SRCDIR "/machine/machines/server"

static void expect_list(const char *text, const char *expected)
{
	struct event_list list;
	struct error err;
	char shown[1024] = "";

	ck_assert_msg(!event_list_parse(text, &list, &err), "%s", err.what);
	for (size_t i = 0; i < list.count; i++)
		snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s%s=%d",
			 i ? " " : "", list.terms[i].name, list.terms[i].group);
	ck_assert_str_eq(shown, expected);
	event_list_free(&list);
}

TEST(lists_and_groups)
{
	expect_list("cycles", "cycles=0");
	expect_list("cycles,instructions:u", "cycles=0 instructions:u=0");
	expect_list("{cycles,instructions},page-faults,{a,b}",
		    "cycles=1 instructions=1 page-faults=0 a=2 b=2");
	expect_list("cycles,CYCLES,cycles", "cycles=0");
	expect_list("branch,cycles", "BRANCHES=0 BRANCH-MISSES=0 cycles=0");
	expect_list("{branch},BRANCHES", "BRANCHES=1 BRANCH-MISSES=1");
	expect_list("Branch,branches,caches", "BRANCHES=0 BRANCH-MISSES=0 caches=0");
}

static const struct {
	const char *text, *says;
} wrong[] = {
	{"", "name is missing"},
	{"a,,b", "name is missing"},
	{"a,", "name is missing"},
	{"{a,b", "has no '}'"},
	{"a}", "has no '{'"},
	{"{a,{b}}", "inside another"},
	{"a{b}", "comma is missing"},
	{"{}", "name is missing"},
	{"{a}b", "comma is missing"},
	{"a-name-of-at-least-96-bytes-............................................................."
	 "..."
	 ".........",
	 "too long"},
};

TEST_EACH(wrong_lists, COUNT(wrong))
{
	struct event_list list;
	struct error err;

	ck_assert_int_eq(event_list_parse(wrong[_i].text, &list, &err), -1);
	event_list_free(&list);
	ck_assert_has(err.what, wrong[_i].says);
	ck_assert_uint_gt(strlen(err.remedy), 0);
	ck_assert_ptr_null(list.terms);
}

/* Energy that was asked for is counted once, though it is always counted where there is any. */
TEST(energy_is_asked_for)
{
	struct event_list list;
	size_t count;

	ck_assert_int_eq(event_list_parse("cycles,energy", &list, NULL), 0);
	count = list.count;
	ck_assert_str_eq(list.terms[1].set, "energy");
	energy_add(SERVER, &list);
	ck_assert_uint_eq(list.count, count);
	event_list_free(&list);
	list = (struct event_list){0};
	energy_add(SERVER, &list);
	ck_assert_uint_gt(list.count, 0);
	ck_assert_ptr_null(list.terms[0].set);
	event_list_free(&list);
}

TEST(units_of_energy)
{
	struct energy_event event;

	ck_assert(energy_is("power/energy-pkg/"));
	ck_assert(!energy_is("cycles"));
	ck_assert_int_eq(energy_encode(SERVER, "power/energy-pkg/", &event), 0);
	ck_assert_uint_eq(event.attr.type, 12);
	ck_assert_uint_eq(event.attr.config, 2);
	ck_assert_str_eq(event.cpus, "0,32");
	ck_assert_double_eq_tol(event.joules * 4294967296.0, 1, 1e-12);
	ck_assert_int_eq(energy_encode(SERVER, "power/energy-gpu/", &event), -1);
}
