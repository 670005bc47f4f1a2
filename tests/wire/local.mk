# local.mk: builds the tests of profiler/wire.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/wire/process_file_test
tests_wire_process_file_test_CPPFLAGS = $(TEST_CPPFLAGS)
SHELL_TESTS += \
	tests/wire/session-test.sh
