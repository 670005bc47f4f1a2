# local.mk: builds the tests of profiler/wire.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/wire/process_file_test
SHELL_TESTS += \
	tests/wire/session-test.sh
