# local.mk: builds the tests of profiler/record.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/record/experiment_test
SHELL_TESTS += \
	tests/record/disk-test.sh \
	tests/record/limits-test.sh \
	tests/record/recover-test.sh \
	tests/record/removed-test.sh
