# local.mk: builds the tests of util.
# SPDX-License-Identifier: MIT
check_PROGRAMS += tests/util/ranges_test
TESTS += tests/util/ranges_test
tests_util_ranges_test_SOURCES = tests/util/ranges_test.c
tests_util_ranges_test_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_util_ranges_test_LDADD = libanalysis.a $(ANALYSIS_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/util/nearest_test
TESTS += tests/util/nearest_test
tests_util_nearest_test_SOURCES = tests/util/nearest_test.c
tests_util_nearest_test_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_util_nearest_test_LDADD = libanalysis.a $(ANALYSIS_LIBS) $(CHECK_LIBS)
