# local.mk: builds the tests of profiler/calls.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/calls/thread_times_test \
	tests/calls/wait_regions_test
SHELL_TESTS += \
	tests/calls/callers-test.sh \
	tests/calls/marks-test.sh \
	tests/calls/python-test.sh \
	tests/calls/roi-test.sh

check_PROGRAMS += tests/calls/marks
tests_calls_marks_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_calls_marks_LDFLAGS = $(tests_shim_truth_LDFLAGS)
tests_calls_marks_LDADD = $(tests_shim_truth_LDADD)

# callers that are known, with debug information whatever the user's flags, in a program and a library
check_LTLIBRARIES += tests/calls/libcallers.la
tests_calls_libcallers_la_SOURCES = tests/calls/callers_library.c tests/calls/callers.h
tests_calls_libcallers_la_CFLAGS = $(SHIM_TEST_CFLAGS) -g
tests_calls_libcallers_la_LDFLAGS = $(TSAN_CFLAGS) -module -avoid-version -rpath /nowhere
check_PROGRAMS += tests/calls/callers
tests_calls_callers_SOURCES = tests/calls/callers.c tests/calls/callers.h
tests_calls_callers_CFLAGS = $(SHIM_TEST_CFLAGS) -g
tests_calls_callers_LDFLAGS = $(TSAN_CFLAGS) -Wl,-rpath,$(abs_builddir)/tests/calls/.libs
tests_calls_callers_LDADD = tests/calls/.libs/libcallers.so $(OPENBLAS_LIBS) -lpthread
tests_calls_callers_DEPENDENCIES = tests/calls/libcallers.la

check_PROGRAMS += tests/calls/roi
tests_calls_roi_CFLAGS = $(SHIM_TEST_CFLAGS) -fopenmp
tests_calls_roi_LDFLAGS = $(tests_shim_truth_LDFLAGS)
tests_calls_roi_LDADD = $(tests_shim_truth_LDADD)
