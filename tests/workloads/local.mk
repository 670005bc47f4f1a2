# local.mk: builds the tests of the workloads.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/workloads/cells_test \
	tests/workloads/input_test \
	tests/workloads/kernels_test \
	tests/workloads/step_test \
	tests/workloads/trainer_test
SHELL_TESTS += \
	tests/workloads/arguments-test.sh \
	tests/workloads/ceilings-blas-test.sh \
	tests/workloads/ceilings-ports-test.sh \
	tests/workloads/ceilings-progress-test.sh \
	tests/workloads/ceilings-test.sh \
	tests/workloads/mpi-training-test.sh \
	tests/workloads/narrow-test.sh \
	tests/workloads/ports-test.sh \
	tests/workloads/training-test.sh \
	tests/workloads/vectorised-test.sh

WORKLOAD_TEST_LIBS = libtests.a $(MOE_LIBS) $(CHECK_LIBS)
# Counts the calls of the archive, without a preload library.
WORKLOAD_WRAPPED = tests/workloads/wrapped.c tests/workloads/wrapped.h
WORKLOAD_WRAP = -Wl,--wrap=cblas_sgemm -Wl,--wrap=malloc -Wl,--wrap=calloc \
	-Wl,--wrap=realloc -Wl,--wrap=aligned_alloc
tests_workloads_cells_test_CFLAGS = $(AM_CFLAGS) $(OPENBLAS_CFLAGS)
tests_workloads_cells_test_LDADD = workloads/libcells.a $(WORKLOAD_TEST_LIBS)
tests_workloads_input_test_CFLAGS = $(AM_CFLAGS) $(OPENBLAS_CFLAGS)
tests_workloads_input_test_LDADD = $(WORKLOAD_TEST_LIBS)
tests_workloads_kernels_test_SOURCES = tests/workloads/kernels_test.c tests/workloads/naive.c tests/workloads/naive.h
tests_workloads_kernels_test_CFLAGS = $(AM_CFLAGS) $(OPENBLAS_CFLAGS)
tests_workloads_kernels_test_LDADD = $(WORKLOAD_TEST_LIBS)
tests_workloads_step_test_SOURCES = tests/workloads/step_test.c tests/workloads/naive.c tests/workloads/naive.h \
	$(WORKLOAD_WRAPPED)
tests_workloads_step_test_LDFLAGS = $(AM_LDFLAGS) $(WORKLOAD_WRAP)
tests_workloads_step_test_CFLAGS = $(AM_CFLAGS) $(OPENBLAS_CFLAGS)
tests_workloads_step_test_LDADD = $(WORKLOAD_TEST_LIBS)
tests_workloads_trainer_test_SOURCES = tests/workloads/trainer_test.c $(WORKLOAD_WRAPPED)
tests_workloads_trainer_test_LDFLAGS = $(AM_LDFLAGS) $(WORKLOAD_WRAP)
tests_workloads_trainer_test_CFLAGS = $(AM_CFLAGS) $(OPENBLAS_CFLAGS)
tests_workloads_trainer_test_LDADD = $(WORKLOAD_TEST_LIBS)

# A BLAS library with rare routines.
check_LTLIBRARIES += tests/workloads/libnarrow_blas.la
tests_workloads_libnarrow_blas_la_SOURCES = tests/workloads/narrow_blas.c
tests_workloads_libnarrow_blas_la_CFLAGS = $(BASE_CFLAGS) $(TSAN_CFLAGS)
tests_workloads_libnarrow_blas_la_LDFLAGS = $(TSAN_CFLAGS) -module -avoid-version -rpath /nowhere

# The loops that gcc vectorises at -O2 (other compilers have other reports). gcc appends to an existing
# report.
check_DATA += workloads/vector-report.txt
CLEANFILES += workloads/vector-report.txt
workloads/vector-report.txt: workloads/kernels.c workloads/kernels.h workloads/vector_math.h
	$(AM_V_GEN)$(MKDIR_P) workloads; rm -f $@; \
	if echo | $(CC) -dM -E - | grep -q __clang__; then \
		echo "no report: $(CC) is not gcc" >$@; \
	else \
		CCACHE_DISABLE=1 $(CC) $(AM_CPPFLAGS) -std=gnu11 -O2 $(MOE_CFLAGS) -c -o $@.o \
			-fopt-info-vec-optimized=$@ $(srcdir)/workloads/kernels.c && rm -f $@.o; \
	fi
