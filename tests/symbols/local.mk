# local.mk: builds the tests of profiler/symbols.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/symbols/jit_test \
	tests/symbols/objects_test \
	tests/symbols/symbols_test \
	tests/symbols/wait_loops_test
SHELL_TESTS += \
	tests/symbols/debuginfod-test.sh

tests_symbols_objects_test_LDADD = $(LDADD) -ldl
tests_symbols_symbols_test_LDADD = $(LDADD) -ldl
