# local.mk: gathers the tests, one folder for each part of the house.
# SPDX-License-Identifier: MIT
TEST_EXTENSIONS = .sh
AM_TESTS_ENVIRONMENT = LC_ALL=C; export LC_ALL; \
	MAKE='$(MAKE)'; export MAKE; \
	SQLITE3='$(SQLITE3)'; export SQLITE3; \
	MANDOC='$(MANDOC)'; export MANDOC; \
	CLANG_FORMAT='$(CLANG_FORMAT)'; export CLANG_FORMAT; \
	MANPAGES='$(MANS)'; export MANPAGES; \
	XDG_CACHE_HOME=/dev/null; export XDG_CACHE_HOME;
# `make -jN check' runs several tests at once, but for those that compare times: they wait until no other test runs. So they
# come first, one after another. Unit tests, which are short, come last: no test that takes long is left for one CPU.
ALONE_UNIT_TESTS =
ALONE_SHELL_TESTS =
ALONE_TESTS = $(ALONE_UNIT_TESTS) $(ALONE_SHELL_TESTS)
AM_TESTS_ENVIRONMENT += case ' $(ALONE_TESTS) ' in *" $$f "*) turn=--exclusive ;; *) turn=--shared ;; esac;
LOG_COMPILER = flock --close $$turn tests/turn.lock
# In the background these signals are ignored, which no program that is tested expects.
SH_LOG_COMPILER = $(LOG_COMPILER) env --default-signal=HUP,INT,QUIT,TERM $(SHELL)
CLEANFILES += tests/turn.lock
if ENABLE_ASAN
# The preload library comes before AddressSanitizer's, which does no harm. A test that is to end by SIGBUS does so.
AM_TESTS_ENVIRONMENT += ASAN_OPTIONS=verify_asan_link_order=0:handle_sigbus=0; export ASAN_OPTIONS;
AM_TESTS_ENVIRONMENT += LSAN_OPTIONS='suppressions=$(abs_srcdir)/tests/sanitizers/leaks.supp:print_suppressions=0'; export LSAN_OPTIONS;
endif
# What a program that is killed by a signal ends with is its own, and some tests call from a handler on purpose.
AM_TESTS_ENVIRONMENT += TSAN_OPTIONS='handle_segv=0 handle_abort=0 report_signal_unsafe=0'; export TSAN_OPTIONS;

# Programs that use Check, and scripts. A unit test is one file, NAME_test.c, but where its local.mk says otherwise.
UNIT_TESTS =
SHELL_TESTS = \
	tests/format-test.sh \
	tests/house-test.sh \
	tests/includes-test.sh \
	tests/install-test.sh \
	tests/packages-test.sh \
	tests/summary-test.sh
AM_CPPFLAGS += $(CHECK_CFLAGS) $(SQLITE_CFLAGS) -DTEST_DIR='"$(abs_builddir)/tests"' -DTEST_SRCDIR='"$(abs_srcdir)/tests"'
LDADD = libtests.a libprofiler.a $(PROFILER_LIBS) $(CHECK_LIBS)
# what unit tests share
check_LIBRARIES += libtests.a
libtests_a_SOURCES = tests/scratch.c tests/scratch.h tests/unit.c tests/unit.h

include $(srcdir)/tests/base/local.mk
include $(srcdir)/tests/model/local.mk
include $(srcdir)/tests/store/local.mk
include $(srcdir)/tests/report/local.mk
include $(srcdir)/tests/write/local.mk
include $(srcdir)/tests/blas/local.mk
include $(srcdir)/tests/wire/local.mk
include $(srcdir)/tests/shim/local.mk
include $(srcdir)/tests/hostile/local.mk
include $(srcdir)/tests/launch/local.mk
include $(srcdir)/tests/perf/local.mk
include $(srcdir)/tests/symbols/local.mk
include $(srcdir)/tests/calls/local.mk
include $(srcdir)/tests/sampling/local.mk
include $(srcdir)/tests/machine/local.mk
include $(srcdir)/tests/record/local.mk
include $(srcdir)/tests/cli/local.mk
include $(srcdir)/tests/workloads/local.mk
include $(srcdir)/tests/man/local.mk
include $(srcdir)/tests/page/local.mk
include $(srcdir)/tests/clients/local.mk
include $(srcdir)/tests/consumers/local.mk
include $(srcdir)/tests/spreadsheets/local.mk
include $(srcdir)/tests/faults/local.mk
include $(srcdir)/tests/fuzz/local.mk
include $(srcdir)/tests/bench/local.mk
include $(srcdir)/tests/causes/local.mk
include $(srcdir)/tests/vm/local.mk
include $(srcdir)/tests/soak/local.mk
include $(srcdir)/tests/sanitizers/local.mk

check_PROGRAMS += $(UNIT_TESTS) $(ALONE_UNIT_TESTS)
TESTS += $(ALONE_TESTS) $(SHELL_TESTS) $(UNIT_TESTS)
EXTRA_DIST += $(SHELL_TESTS) $(ALONE_SHELL_TESTS) tests/common.sh tests/summary.sh
# One line that counts the single tests of the last `make check'.
.PHONY: check-summary
check-summary:
	@$(SHELL) $(srcdir)/tests/summary.sh $(TEST_LOGS)
