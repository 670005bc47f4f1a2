# local.mk: builds the tests of profiler/launch.
# SPDX-License-Identifier: MIT
SHELL_TESTS += \
	tests/launch/command-test.sh \
	tests/launch/kinds-test.sh \
	tests/launch/mpi-test.sh \
	tests/launch/notrun-test.sh \
	tests/launch/signal-test.sh \
	tests/launch/stop-test.sh

check_PROGRAMS += tests/launch/static
tests_launch_static_CFLAGS = $(BASE_CFLAGS)
tests_launch_static_LDFLAGS = -all-static
tests_launch_static_LDADD =

check_LTLIBRARIES += tests/launch/libstops.la
tests_launch_libstops_la_SOURCES = tests/launch/stops.c
tests_launch_libstops_la_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_launch_libstops_la_LDFLAGS = $(VARIANTS_LIB_LDFLAGS)

AM_TESTS_ENVIRONMENT += MPIRUN='$(MPIRUN)'; export MPIRUN;
EXTRA_DIST += tests/launch/mpi_ranks.c
if HAVE_MPI
check_PROGRAMS += tests/launch/mpi_ranks
tests_launch_mpi_ranks_CFLAGS = $(BASE_CFLAGS) $(MPI_CFLAGS)
tests_launch_mpi_ranks_LDFLAGS = $(tests_shim_truth_LDFLAGS)
tests_launch_mpi_ranks_LDADD = $(tests_shim_truth_LDADD) $(MPI_LIBS)
endif
