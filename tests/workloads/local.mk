# local.mk: builds the tests of workloads.
# SPDX-License-Identifier: MIT
WORKLOAD_UNIT_TESTS = \
	tests/workloads/test-kernels \
	tests/workloads/test-gradients \
	tests/workloads/test-step \
	tests/workloads/test-cells \
	tests/workloads/test-trainer \
	tests/workloads/test-input
WORKLOAD_SCRIPT_TESTS = \
	tests/workloads/arguments.sh \
	tests/workloads/ceilings-blas-test.sh \
	tests/workloads/ceilings-ports-test.sh \
	tests/workloads/ceilings-progress-test.sh \
	tests/workloads/ceilings-test.sh \
	tests/workloads/cells-agree-test.sh \
	tests/workloads/mpi-training-test.sh \
	tests/workloads/narrow-test.sh \
	tests/workloads/ports-test.sh \
	tests/workloads/training.sh \
	tests/workloads/vectorised.sh
check_PROGRAMS += $(WORKLOAD_UNIT_TESTS)
TESTS += $(WORKLOAD_UNIT_TESTS) $(WORKLOAD_SCRIPT_TESTS)
EXTRA_DIST += $(WORKLOAD_SCRIPT_TESTS)

WORKLOAD_TEST_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) $(OPENBLAS_CFLAGS)
WORKLOAD_TEST_LIBS = $(MOE_LIBS) $(CHECK_LIBS)
WORKLOAD_NAIVE = tests/workloads/naive.c tests/workloads/naive.h
# Counts calls that the archive makes, without a preload library.
WORKLOAD_WRAPPED = tests/workloads/wrapped.c tests/workloads/wrapped.h
WORKLOAD_WRAP = -Wl,--wrap=cblas_sgemm -Wl,--wrap=malloc -Wl,--wrap=calloc \
	-Wl,--wrap=realloc -Wl,--wrap=aligned_alloc

# A BLAS library that has what most have not.
check_LTLIBRARIES += tests/workloads/libnarrow_blas.la
tests_workloads_libnarrow_blas_la_SOURCES = tests/workloads/narrow_blas.c
tests_workloads_libnarrow_blas_la_CFLAGS = $(BASE_CFLAGS) $(TSAN_CFLAGS)
tests_workloads_libnarrow_blas_la_LDFLAGS = $(TSAN_CFLAGS) -module -avoid-version -rpath /nowhere

tests_workloads_test_cells_SOURCES = tests/workloads/test-cells.c
tests_workloads_test_cells_CFLAGS = $(WORKLOAD_TEST_CFLAGS)
tests_workloads_test_cells_LDADD = workloads/libcells.a $(WORKLOAD_TEST_LIBS)
tests_workloads_test_kernels_SOURCES = tests/workloads/test-kernels.c $(WORKLOAD_NAIVE)
tests_workloads_test_kernels_CFLAGS = $(WORKLOAD_TEST_CFLAGS)
tests_workloads_test_kernels_LDADD = $(WORKLOAD_TEST_LIBS)
tests_workloads_test_gradients_SOURCES = tests/workloads/test-gradients.c $(WORKLOAD_NAIVE)
tests_workloads_test_gradients_CFLAGS = $(WORKLOAD_TEST_CFLAGS)
tests_workloads_test_gradients_LDADD = $(WORKLOAD_TEST_LIBS)
tests_workloads_test_step_SOURCES = tests/workloads/test-step.c $(WORKLOAD_WRAPPED)
tests_workloads_test_step_CFLAGS = $(WORKLOAD_TEST_CFLAGS)
tests_workloads_test_step_LDFLAGS = $(AM_LDFLAGS) $(WORKLOAD_WRAP)
tests_workloads_test_step_LDADD = $(WORKLOAD_TEST_LIBS)
tests_workloads_test_trainer_SOURCES = tests/workloads/test-trainer.c $(WORKLOAD_WRAPPED)
tests_workloads_test_trainer_CFLAGS = $(WORKLOAD_TEST_CFLAGS)
tests_workloads_test_trainer_LDFLAGS = $(AM_LDFLAGS) $(WORKLOAD_WRAP)
tests_workloads_test_trainer_LDADD = $(WORKLOAD_TEST_LIBS)
tests_workloads_test_input_SOURCES = tests/workloads/test-input.c
tests_workloads_test_input_CFLAGS = $(WORKLOAD_TEST_CFLAGS)
tests_workloads_test_input_LDADD = $(WORKLOAD_TEST_LIBS)

# What gcc vectorises of the kernels at plain -O2 (other compilers report otherwise). gcc adds to a
# report that is there already.
check_DATA += workloads/vector-report.txt
CLEANFILES += workloads/vector-report.txt
workloads/vector-report.txt: workloads/kernels.c workloads/kernels.h workloads/vector_math.h
	$(AM_V_GEN)$(MKDIR_P) workloads; rm -f $@; \
	if echo | $(CC) -dM -E - | grep -q __clang__; then \
		echo "no report: $(CC) is not gcc" >$@; \
	else \
		$(CC) $(AM_CPPFLAGS) -std=gnu11 -O2 $(MOE_CFLAGS) -c -o $@.o \
			-fopt-info-vec-optimized=$@ $(srcdir)/workloads/kernels.c && rm -f $@.o; \
	fi
