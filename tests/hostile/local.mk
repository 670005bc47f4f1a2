# local.mk: builds the program for the rows of attacks.sh.
# SPDX-License-Identifier: MIT
SHELL_TESTS += tests/hostile/hostile-test.sh
EXTRA_DIST += tests/hostile/attacks.sh tests/hostile/calls.c tests/hostile/calls.go tests/hostile/Calls.java \
	tests/hostile/calls.rs tests/hostile/plugins.c
check_PROGRAMS += tests/hostile/hostile
tests_hostile_hostile_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_hostile_hostile_LDFLAGS = $(tests_shim_truth_LDFLAGS)
tests_hostile_hostile_LDADD = $(tests_shim_truth_LDADD) -ldl

.PHONY: hostile
hostile: all tests/hostile/hostile $(check_LTLIBRARIES)
	$(AM_TESTS_ENVIRONMENT) HOSTILE=all srcdir='$(srcdir)' $(SHELL) $(srcdir)/tests/hostile/hostile-test.sh $(ROWS)
