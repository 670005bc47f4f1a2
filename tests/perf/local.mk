# local.mk: builds the tests of profiler/perf.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/perf/event_names_test \
	tests/perf/kernel_test
SHELL_TESTS += tests/perf/uprobes-test.sh

tests_perf_kernel_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=syscall -Wl,--wrap=mmap -Wl,--wrap=poll -Wl,--wrap=geteuid

# a static program with BLAS routines, for probes
check_PROGRAMS += tests/perf/static_blas
tests_perf_static_blas_CFLAGS = $(BASE_CFLAGS)
tests_perf_static_blas_LDFLAGS = -all-static
tests_perf_static_blas_LDADD = -lpthread
