# local.mk: builds the tests of cli, and of the house as a whole.
# SPDX-License-Identifier: MIT
cli_tests = \
	tests/cli/ceilings-test.sh \
	tests/cli/categories-test.sh \
	tests/cli/closed-test.sh \
	tests/cli/command-test.sh \
	tests/cli/compare-test.sh \
	tests/cli/completion-test.sh \
	tests/cli/full-test.sh \
	tests/cli/help-test.sh \
	tests/cli/import-test.sh \
	tests/cli/house-test.sh \
	tests/cli/includes-test.sh \
	tests/cli/install-test.sh \
	tests/cli/kinds-test.sh \
	tests/cli/man-test.sh \
	tests/cli/nocall-test.sh \
	tests/cli/measure-test.sh \
	tests/cli/models-test.sh \
	tests/cli/notrun-test.sh \
	tests/cli/packages-test.sh \
	tests/cli/predict-test.sh \
	tests/cli/progress-test.sh \
	tests/cli/region-waits-test.sh \
	tests/cli/report-test.sh \
	tests/cli/routines-test.sh \
	tests/cli/signal-test.sh \
	tests/cli/sizes-test.sh \
	tests/cli/stacks-test.sh \
	tests/cli/store-test.sh \
	tests/cli/summary-test.sh \
	tests/cli/sweep-test.sh \
	tests/cli/top-test.sh \
	tests/cli/usage-test.sh \
	tests/cli/view-test.sh \
	tests/cli/waits-test.sh \
	tests/cli/workers-test.sh
TESTS += $(cli_tests)
EXTRA_DIST += tests/cli/common.sh tests/cli/models-page.awk $(cli_tests)

check_PROGRAMS += tests/cli/static
tests_cli_static_SOURCES = tests/cli/static.c
tests_cli_static_CFLAGS = $(BASE_CFLAGS)
tests_cli_static_LDFLAGS = -all-static

# A sanitizer's own functions would be those that wait.
check_PROGRAMS += tests/cli/waits
tests_cli_waits_SOURCES = tests/cli/waits.c tests/cli/waiting.h
tests_cli_waits_LDADD = $(OPENBLAS_LIBS) -lpthread
tests_cli_waits_CFLAGS = $(BASE_CFLAGS) $(COVERAGE_CFLAGS) $(OPENBLAS_CFLAGS)
tests_cli_waits_LDFLAGS = $(COVERAGE_CFLAGS)

check_PROGRAMS += tests/cli/region-waits
tests_cli_region_waits_SOURCES = tests/cli/region_waits.c tests/cli/waiting.h
tests_cli_region_waits_LDADD = $(OPENBLAS_LIBS) -lpthread
tests_cli_region_waits_CFLAGS = $(AM_CFLAGS) $(OPENBLAS_CFLAGS)

check_PROGRAMS += tests/cli/formula_test
TESTS += tests/cli/formula_test
tests_cli_formula_test_SOURCES = tests/cli/formula_test.c profiler/cli/formula.c
tests_cli_formula_test_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS)
tests_cli_formula_test_LDADD = libprofiler.a $(PROFILER_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/cli/terminal
tests_cli_terminal_SOURCES = tests/cli/terminal.c
tests_cli_terminal_LDADD = -lutil
