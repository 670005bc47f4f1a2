# local.mk: builds the tests of analysis/store.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/store/refusal_test \
	tests/store/store_test

libtests_a_SOURCES += tests/store/random_run.c tests/store/random_run.h
