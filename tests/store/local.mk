# local.mk: builds the tests of analysis/store.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/store/refusal_test \
	tests/store/store_test
tests_store_refusal_test_CPPFLAGS = $(TEST_CPPFLAGS)
tests_store_store_test_CPPFLAGS = $(TEST_CPPFLAGS)

libtests_a_SOURCES += tests/store/random_run.c tests/store/random_run.h tests/store/scratch.c tests/store/scratch.h
