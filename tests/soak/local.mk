# local.mk: builds the program for `make soak`: very many calls, threads and processes, for minutes.
# SPDX-License-Identifier: MIT
EXTRA_DIST += tests/soak/soak.sh
check_PROGRAMS += tests/soak/many
tests_soak_many_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_soak_many_LDFLAGS = $(tests_shim_truth_LDFLAGS)
tests_soak_many_LDADD = $(tests_shim_truth_LDADD)

.PHONY: soak
soak: all tests/soak/many $(EXTRA_PROGRAMS) $(EXTRA_LTLIBRARIES)
	srcdir='$(srcdir)' $(SHELL) $(srcdir)/tests/soak/soak.sh
