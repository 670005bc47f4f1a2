# local.mk: builds the faults; `make faults' tests all of them.
# SPDX-License-Identifier: MIT
check_LTLIBRARIES += tests/faults/libfault.la
tests_faults_libfault_la_SOURCES = tests/faults/fault.c
tests_faults_libfault_la_CFLAGS = $(BASE_CFLAGS)
tests_faults_libfault_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_faults_libfault_la_LIBADD = -ldl

check_PROGRAMS += tests/faults/program
tests_faults_program_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_faults_program_LDFLAGS = $(tests_shim_truth_LDFLAGS)
tests_faults_program_LDADD = $(tests_shim_truth_LDADD)

SHELL_TESTS += tests/faults/faults-test.sh
EXTRA_DIST += tests/faults/faults.sh

.PHONY: faults
faults: all tests/faults/libfault.la tests/faults/program tests/shim/libtruth_blas.la
	@srcdir='$(srcdir)'; SQLITE3='$(SQLITE3)'; export srcdir SQLITE3; $(SHELL) $(srcdir)/tests/faults/faults.sh
