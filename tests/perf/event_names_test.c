/* event_names_test.c: what -e takes: lists, groups and sets, and names by the files of /sys. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf/event_list.h"
#include "perf/sysfs_event.h"
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
	expect_list("cpu/event=0xc0,umask=1/u,{x,cpu/y/}",
		    "cpu/event=0xc0,umask=1/u=0 x=1 cpu/y/=1");
	expect_list("cycles,CYCLES,cycles", "cycles=0");
	expect_list("branch,cycles", "BRANCHES=0 BRANCH-MISSES=0 cycles=0");
	expect_list("{branch},BRANCHES", "BRANCHES=1 BRANCH-MISSES=1");
}

static const struct {
	const char *text, *says;
} wrong[] = {
	{"", "name is missing"},
	{"a,,b", "name is missing"},
	{"a,", "name is missing"},
	{"{a,b", "has no end"},
	{"a}", "was not begun"},
	{"{a,{b}}", "inside another"},
	{"a{b}", "comma is missing"},
	{"{}", "name is missing"},
	{"{a}b", "comma is missing"},
	{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	 "a"
	 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	 "too long"},
};

TEST_EACH(wrong_lists, COUNT(wrong))
{
	struct event_list list;
	struct error err;

	ck_assert_int_eq(event_list_parse(wrong[_i].text, &list, &err), -1);
	ck_assert_msg(strstr(err.what, wrong[_i].says) != NULL, "%s", err.what);
	ck_assert_uint_gt(strlen(err.remedy), 0);
	ck_assert_ptr_null(list.terms);
}

TEST(energy_is_asked_for)
{
	struct event_list list;

	ck_assert_int_eq(event_list_parse("cycles,energy", &list, NULL), 0);
	ck_assert_int_eq(list.energy, 1);
	ck_assert_uint_eq(list.count, 1);
	event_list_free(&list);
}

TEST(sets_have_names)
{
	for (size_t i = 0; i < event_sets_count; i++) {
		ck_assert_ptr_eq(event_set_find(event_sets[i].name), &event_sets[i]);
		ck_assert_uint_gt(event_sets[i].count, 0);
		for (size_t j = 0; j < event_sets[i].count; j++)
			ck_assert(event_choice_has(&event_sets[i].choices[j],
						   event_sets[i].choices[j].names[0]));
	}
	ck_assert_ptr_null(event_set_find("caches"));
}

static const struct {
	const char *name;
	uint32_t type;
	uint64_t config, config1;
	int user, kernel; /* excluded */
} encoded[] = {
	{"cpu/cache-misses/", 4, 0x964, 0, 0, 0},
	{"cpu/event=0xfc0,umask=0x12/", 4, UINT64_C(0xf000012c0), 0, 0, 0},
	{"cpu/event=1,inv,ldlat=0x1ff/", 4, 0x800001, 0x1ff, 0, 0},
	{"cpu/cache-misses/u", 4, 0x964, 0, 0, 1},
	{"cpu/cache-misses/:k", 4, 0x964, 0, 1, 0},
	{"cpu/config=0x1234,config1=5/", 4, 0x1234, 5, 0, 0},
	{"power/energy-pkg/", 12, 2, 0, 0, 0},
};

TEST_EACH(names_of_units, COUNT(encoded))
{
	struct sysfs_event event;
	struct error err;

	ck_assert(sysfs_event_is(encoded[_i].name));
	ck_assert_msg(!sysfs_event_encode(SERVER, encoded[_i].name, &event, &err), "%s", err.what);
	ck_assert_uint_eq(event.attr.type, encoded[_i].type);
	ck_assert_uint_eq(event.attr.config, encoded[_i].config);
	ck_assert_uint_eq(event.attr.config1, encoded[_i].config1);
	ck_assert_int_eq(event.attr.exclude_user, encoded[_i].user);
	ck_assert_int_eq(event.attr.exclude_kernel, encoded[_i].kernel);
}

TEST(units_of_energy)
{
	struct sysfs_event event;

	ck_assert_int_eq(sysfs_event_encode(SERVER, "power/energy-pkg/", &event, NULL), 0);
	ck_assert_str_eq(event.unit, "Joules");
	ck_assert_str_eq(event.cpus, "0,32");
	ck_assert_double_eq_tol(event.scale * 4294967296.0, 1, 1e-12);
	ck_assert_int_eq(sysfs_event_encode(SERVER, "cpu/cache-misses/", &event, NULL), 0);
	ck_assert_str_eq(event.unit, "");
	ck_assert_str_eq(event.cpus, "");
	ck_assert_double_eq(event.scale, 1);
}

static const struct {
	const char *name, *what, *remedy;
} refused[] = {
	{"gpu/cycles/", "no such unit", "cpu"},
	{"../cycles/", "no such unit", "cpu"},
	{"cpu/cache-mises/", "has no 'cache-mises'", "cache-misses"},
	{"cpu/event=1,flavour=2/", "has no 'flavour'", "umask"},
	{"cpu/umask=0x1234/", "does not fit", ""},
	{"cpu/umask=many/", "does not fit", ""},
	{"cpu/cache-misses/q", "behind its name", ":u"},
};

TEST_EACH(wrong_names, COUNT(refused))
{
	struct sysfs_event event;
	struct error err;

	ck_assert_int_eq(sysfs_event_encode(SERVER, refused[_i].name, &event, &err), -1);
	ck_assert_msg(strstr(err.what, refused[_i].what) != NULL, "%s", err.what);
	ck_assert_msg(strstr(err.remedy, refused[_i].remedy) != NULL, "%s", err.remedy);
}
