/* test_probe_calls.c: entries and returns become outermost calls, whatever way they are left. */
/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>

#include "record/probe_calls.h"

enum { TOP = 4096, WORD = 8 };

static struct probe_calls calls;

static void setup(void)
{
	ck_assert_int_eq(probe_calls_init(&calls, 2), 0);
}

static void teardown(void)
{
	probe_calls_free(&calls);
}

START_TEST(what_a_routine_calls_is_part_of_it)
{
	probe_calls_enter(&calls, 3, 0, TOP, 100);
	probe_calls_enter(&calls, 3, 1, TOP - 64, 110);
	probe_calls_return(&calls, 3, TOP - 64 + WORD, 120);
	probe_calls_return(&calls, 3, TOP + WORD, 150);
	ck_assert_uint_eq(calls.threads[3].calls, 1);
	ck_assert_int_eq(calls.threads[3].inside_ns, 50);
	ck_assert_int_eq(calls.threads[3].first_ns, 100);
	ck_assert_int_eq(calls.threads[3].last_ns, 150);
	ck_assert_uint_eq(calls.routines[0].calls, 1);
	ck_assert_uint_eq(calls.routines[1].calls, 0);
	ck_assert_uint_eq(calls.threads[0].calls, 0);
}
END_TEST

START_TEST(a_jump_to_another_routine_goes_on_with_the_call)
{
	probe_calls_enter(&calls, 0, 0, TOP, 100);
	probe_calls_enter(&calls, 0, 1, TOP, 105);
	probe_calls_return(&calls, 0, TOP + WORD, 160);
	probe_calls_return(&calls, 0, TOP + WORD, 160); /* each of the two has a return */
	ck_assert_uint_eq(calls.threads[0].calls, 1);
	ck_assert_int_eq(calls.routines[0].total_ns, 60);
}
END_TEST

START_TEST(a_call_that_was_left_by_a_jump_is_forgotten)
{
	probe_calls_enter(&calls, 0, 0, TOP, 100);
	probe_calls_enter(&calls, 0, 0, TOP, 1000); /* again from the same place */
	probe_calls_return(&calls, 0, TOP + WORD, 1010);
	probe_calls_enter(&calls, 0, 0, TOP - 128, 2000);
	probe_calls_enter(&calls, 0, 1, TOP, 3000); /* from further out */
	probe_calls_return(&calls, 0, TOP + WORD, 3005);
	ck_assert_uint_eq(calls.threads[0].calls, 2);
	ck_assert_int_eq(calls.threads[0].inside_ns, 15);
}
END_TEST

START_TEST(a_return_without_an_entry_counts_nothing)
{
	probe_calls_return(&calls, 0, TOP, 100);
	ck_assert_uint_eq(calls.threads[0].calls, 0);
}
END_TEST

START_TEST(time_off_the_cpu_counts_inside_only)
{
	probe_calls_off(&calls, 0, 1, 7);
	probe_calls_enter(&calls, 0, 0, TOP, 100);
	probe_calls_off(&calls, 0, 1, 20);
	probe_calls_off(&calls, 0, 0, 30);
	probe_calls_return(&calls, 0, TOP + WORD, 200);
	probe_calls_off(&calls, 0, 0, 9);
	ck_assert_int_eq(calls.threads[0].preempted_ns, 20);
	ck_assert_int_eq(calls.threads[0].waiting_ns, 30);
}
END_TEST

START_TEST(the_probes_own_time_comes_off_a_routine_once_a_call)
{
	calls.inside_ns = 8;
	for (int i = 0; i < 3; i++) {
		probe_calls_enter(&calls, 0, 0, TOP, 100 * i);
		probe_calls_return(&calls, 0, TOP + WORD, 100 * i + 5 * (i + 1));
	}
	ck_assert_int_eq(calls.routines[0].total_ns, 0 + 2 + 7);
	ck_assert_int_eq(calls.routines[0].min_ns, 0);
	ck_assert_int_eq(calls.routines[0].max_ns, 7);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("probe_calls");
	TCase *cases = tcase_create("pairs");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_add_test(cases, what_a_routine_calls_is_part_of_it);
	tcase_add_test(cases, a_jump_to_another_routine_goes_on_with_the_call);
	tcase_add_test(cases, a_call_that_was_left_by_a_jump_is_forgotten);
	tcase_add_test(cases, a_return_without_an_entry_counts_nothing);
	tcase_add_test(cases, time_off_the_cpu_counts_inside_only);
	tcase_add_test(cases, the_probes_own_time_comes_off_a_routine_once_a_call);
	suite_add_tcase(suite, cases);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
