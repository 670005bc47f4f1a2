# local.mk: builds the tests of store.
# SPDX-License-Identifier: MIT
check_LIBRARIES += libstorefixture.a
libstorefixture_a_SOURCES = tests/store/random_run.c tests/store/random_run.h \
	tests/store/scratch.c tests/store/scratch.h
libstorefixture_a_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)

check_PROGRAMS += tests/store/store_test tests/store/refusal_test
TESTS += tests/store/store_test tests/store/refusal_test

tests_store_store_test_SOURCES = tests/store/store_test.c
tests_store_store_test_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) $(SQLITE_CFLAGS)
tests_store_store_test_LDADD = libstorefixture.a libanalysis.a $(ANALYSIS_LIBS) $(CHECK_LIBS)

tests_store_refusal_test_SOURCES = tests/store/refusal_test.c
tests_store_refusal_test_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) $(SQLITE_CFLAGS)
tests_store_refusal_test_LDADD = libstorefixture.a libanalysis.a $(ANALYSIS_LIBS) $(CHECK_LIBS)
