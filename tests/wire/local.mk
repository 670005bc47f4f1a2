# local.mk: builds the tests of profiler/wire.
# SPDX-License-Identifier: MIT
SHELL_TESTS += \
	tests/wire/session-test.sh
