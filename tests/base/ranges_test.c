/* ranges_test.c: valid and invalid lists of numbers. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/human.h"
#include "base/ranges.h"
#include "tests/unit.h"

static const struct {
	const char *text, *numbers;
} valid[] = {
	{"1", "1"},
	{"1,2,4", "1 2 4"},
	{"4,1,2", "4 1 2"},
	{"2,1,2,1-3", "2 1 3"},
	{"1-8", "1 2 3 4 5 6 7 8"},
	{"1..4", "1 2 3 4"},
	{"3-3", "3"},
	{"1..16:x2", "1 2 4 8 16"},
	{"1-12:x2", "1 2 4 8"},
	{"3-30:x3", "3 9 27"},
	{"2-9:3", "2 5 8"},
	{"1,4-8:2,64", "1 4 6 8 64"},
	{"007", "7"},
	{"65536", "65536"},
	{"30000-65536:x2", "30000 60000"},
};

TEST_EACH(test_valid, COUNT(valid))
{
	char text[256] = "";
	int *values;
	size_t count;
	struct error err = {.what = ""};

	ck_assert_msg(!ranges_parse(valid[_i].text, &values, &count, &err), "%s", err.what);
	for (size_t i = 0; i < count; i++)
		say(text, sizeof text, "%s%d", i ? " " : "", values[i]);
	ck_assert_str_eq(text, valid[_i].numbers);
	free(values);
}

static const struct {
	const char *text, *says;
} invalid[] = {
	{"", "missing"},
	{"0", "begin at 1"},
	{"0-4", "begin at 1"},
	{"1,0", "begin at 1"},
	{"4-1", "ends below"},
	{"1-", "missing"},
	{"1..", "missing"},
	{"1.", "something else"},
	{"1.5", "something else"},
	{"-1", "missing"},
	{"+1", "missing"},
	{"x", "missing"},
	{"1,", "missing"},
	{",1", "missing"},
	{"1,,2", "missing"},
	{"1 2", "something else"},
	{" 1", "missing"},
	{"1-2-3", "something else"},
	{"1-8:", "missing"},
	{"1-8:0", "begin at 1"},
	{"1-8:x1", "factor of 1"},
	{"1-8:x", "missing"},
	{"1:x2", "something else"},
	{"65537", "over 65536"},
	{"1-99999999999999999999", "over 65536"},
	{"1-65536", "over 4096 numbers"},
	{"{}", "missing"},
};

TEST_EACH(test_invalid, COUNT(invalid))
{
	int none, *values = &none;
	size_t count = 1;
	struct error err = {.what = ""};

	ck_assert_int_eq(ranges_parse(invalid[_i].text, &values, &count, &err), -1);
	ck_assert_msg(strstr(err.what, invalid[_i].says) != NULL, "'%s': %s", invalid[_i].text,
		      err.what);
	ck_assert_has(err.what, invalid[_i].text);
	ck_assert_has(err.remedy, "1..16:x2");
	ck_assert_ptr_null(values);
	ck_assert_uint_eq(count, 0);
}

TEST(test_limit_is_reached)
{
	int *values;
	size_t count;

	ck_assert_int_eq(ranges_parse("1-4096,1-4096", &values, &count, NULL), 0);
	ck_assert_uint_eq(count, RANGES_COUNT_MAX);
	ck_assert_int_eq(values[count - 1], 4096);
	free(values);
	ck_assert_int_eq(ranges_parse("1-4097", &values, &count, NULL), -1);
}
