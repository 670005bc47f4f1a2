/* unit.c: runs the registered tests of a program. */
/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

static TCase *tests;
static bool skipped;

static TCase *unit_tests(void)
{
	if (!tests) {
		tests = tcase_create(program_invocation_short_name);
		tcase_set_timeout(tests, 3600); /* enough for any test on a busy machine */
	}
	return tests;
}

void unit_fixture(SFun before, SFun after)
{
	tcase_add_checked_fixture(unit_tests(), before, after);
}

void unit_require(bool condition)
{
	skipped |= !condition;
}

void unit_add(const TTest *test, int count, int signal)
{
	tcase_add_loop_test_raise_signal(unit_tests(), test, signal, 0, count);
}

int main(void)
{
	Suite *suite = suite_create(program_invocation_short_name);
	SRunner *runner = srunner_create(suite);
	int failed;

	if (skipped)
		return 77;
	mallopt(M_PERTURB, 0xa5); /* memory that is not initialised is not 0 by chance */
	suite_add_tcase(suite, unit_tests());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
