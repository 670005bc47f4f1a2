# local.mk: builds the tests of profiler/perf.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/perf/draining_test \
	tests/perf/event_names_test \
	tests/perf/perf_errors_test
SHELL_TESTS += tests/perf/uprobes-test.sh
tests_perf_draining_test_CPPFLAGS = $(TEST_CPPFLAGS)
tests_perf_event_names_test_CPPFLAGS = $(TEST_CPPFLAGS)
tests_perf_perf_errors_test_CPPFLAGS = $(TEST_CPPFLAGS)

tests_perf_perf_errors_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=syscall -Wl,--wrap=mmap -Wl,--wrap=poll
tests_perf_draining_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=poll -Wl,--wrap=mmap -Wl,--wrap=geteuid

# a static program with BLAS routines, for probes
check_PROGRAMS += tests/perf/static_blas
tests_perf_static_blas_CFLAGS = $(BASE_CFLAGS)
tests_perf_static_blas_LDFLAGS = -all-static
tests_perf_static_blas_LDADD = -lpthread
