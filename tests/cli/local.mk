# local.mk: builds the tests of profiler/cli.
# SPDX-License-Identifier: MIT
SHELL_TESTS += \
	tests/cli/closed-test.sh \
	tests/cli/compare-test.sh \
	tests/cli/completion-test.sh \
	tests/cli/full-test.sh \
	tests/cli/help-test.sh \
	tests/cli/import-test.sh \
	tests/cli/locks-test.sh \
	tests/cli/measure-test.sh \
	tests/cli/nocall-test.sh \
	tests/cli/predict-test.sh \
	tests/cli/progress-test.sh \
	tests/cli/report-test.sh \
	tests/cli/sizes-test.sh \
	tests/cli/store-test.sh \
	tests/cli/stores-test.sh \
	tests/cli/sweep-test.sh \
	tests/cli/top-test.sh \
	tests/cli/try-test.sh \
	tests/cli/turns-test.sh \
	tests/cli/usage-test.sh

check_PROGRAMS += tests/cli/terminal tests/cli/turns
tests_cli_terminal_LDADD = -lutil
tests_cli_turns_LDADD = -lpthread

check_LTLIBRARIES += tests/cli/libno_locks.la
tests_cli_libno_locks_la_SOURCES = tests/cli/no_locks.c
tests_cli_libno_locks_la_CFLAGS = $(BASE_CFLAGS)
tests_cli_libno_locks_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_cli_libno_locks_la_LIBADD = -ldl
