# local.mk: builds the tests of profiler/perf.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/perf/draining_test \
	tests/perf/event_names_test \
	tests/perf/perf_errors_test
SHELL_TESTS += \
	tests/perf/group-test.sh \
	tests/perf/uprobes-test.sh
tests_perf_draining_test_CPPFLAGS = $(TEST_CPPFLAGS)
tests_perf_event_names_test_CPPFLAGS = $(TEST_CPPFLAGS)
tests_perf_perf_errors_test_CPPFLAGS = $(TEST_CPPFLAGS)

tests_perf_perf_errors_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=syscall -Wl,--wrap=mmap -Wl,--wrap=poll
tests_perf_draining_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=poll -Wl,--wrap=mmap -Wl,--wrap=geteuid

# a kernel with two counters
check_LTLIBRARIES += tests/perf/few_counters.la
tests_perf_few_counters_la_SOURCES = tests/perf/few_counters.c
tests_perf_few_counters_la_CFLAGS = $(BASE_CFLAGS)
tests_perf_few_counters_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_perf_few_counters_la_LIBADD = -ldl

# a static program with BLAS routines, for probes
check_PROGRAMS += tests/perf/static_blas
tests_perf_static_blas_CFLAGS = $(BASE_CFLAGS)
tests_perf_static_blas_LDFLAGS = -all-static
tests_perf_static_blas_LDADD = -lpthread
