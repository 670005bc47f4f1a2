# local.mk: builds the tests of analysis/base.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/base/nearest_test \
	tests/base/ranges_test
tests_base_nearest_test_CPPFLAGS = $(TEST_CPPFLAGS)
tests_base_ranges_test_CPPFLAGS = $(TEST_CPPFLAGS)
