# local.mk: builds the tests of util.
# SPDX-License-Identifier: MIT
check_PROGRAMS += tests/util/ranges_test
TESTS += tests/util/ranges_test
tests_util_ranges_test_SOURCES = tests/util/ranges_test.c
tests_util_ranges_test_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_util_ranges_test_LDADD = libutil.a $(CHECK_LIBS)
