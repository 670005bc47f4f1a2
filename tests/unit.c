/* unit.c: runs the registered tests of a program. */
/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

static Suite *suite;
static SFun before_each, after_each;
static bool skipped;

static void set_up(void)
{
	if (before_each)
		before_each();
}

static void tear_down(void)
{
	if (after_each)
		after_each();
}

void unit_fixture(SFun before, SFun after)
{
	before_each = before;
	after_each = after;
}

void unit_require(bool condition)
{
	skipped |= !condition;
}

/* Each test is a case of its own, so that CK_RUN_CASE=NAME runs it alone. */
void unit_add(const TTest *test, int count, int signal)
{
	TCase *alone = tcase_create(test->name);

	if (!suite)
		suite = suite_create(program_invocation_short_name);
	suite_add_tcase(suite, alone);
	tcase_set_timeout(alone, 3600); /* enough for any test on a busy machine */
	tcase_add_checked_fixture(alone, set_up, tear_down);
	tcase_add_loop_test_raise_signal(alone, test, signal, 0, count);
}

int main(void)
{
	SRunner *runner;
	int failed;

	if (skipped)
		return 77;
	mallopt(M_PERTURB, 0xa5); /* memory that is not initialised is not 0 by chance */
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
