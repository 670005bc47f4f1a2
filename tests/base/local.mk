# local.mk: builds the tests of analysis/base.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/base/nearest_test \
	tests/base/ranges_test
