/* model_test.c: runs the suites of the model's tests. */
/* SPDX-License-Identifier: MIT */
#include "model_test.h"

#include <stdlib.h>

int main(void)
{
	SRunner *runner = srunner_create(accounting_suite());
	int failed;

	srunner_add_suite(runner, models_suite());
	srunner_add_suite(runner, reference_suite());
	srunner_add_suite(runner, replay_suite());
	srunner_add_suite(runner, stats_suite());
	srunner_add_suite(runner, fit_suite());
	srunner_add_suite(runner, estimate_suite());
	srunner_add_suite(runner, roofline_suite());
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
