# local.mk: builds the tests of workloads.
# SPDX-License-Identifier: MIT
WORKLOAD_UNIT_TESTS = \
	tests/workloads/test-kernels \
	tests/workloads/test-gradients
check_PROGRAMS += $(WORKLOAD_UNIT_TESTS)
TESTS += $(WORKLOAD_UNIT_TESTS)

WORKLOAD_TEST_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) $(OPENBLAS_CFLAGS)
WORKLOAD_TEST_LIBS = $(MOE_LIBS) $(CHECK_LIBS)
WORKLOAD_NAIVE = tests/workloads/naive.c tests/workloads/naive.h

tests_workloads_test_kernels_SOURCES = tests/workloads/test-kernels.c $(WORKLOAD_NAIVE)
tests_workloads_test_kernels_CFLAGS = $(WORKLOAD_TEST_CFLAGS)
tests_workloads_test_kernels_LDADD = $(WORKLOAD_TEST_LIBS)
tests_workloads_test_gradients_SOURCES = tests/workloads/test-gradients.c $(WORKLOAD_NAIVE)
tests_workloads_test_gradients_CFLAGS = $(WORKLOAD_TEST_CFLAGS)
tests_workloads_test_gradients_LDADD = $(WORKLOAD_TEST_LIBS)
