# local.mk: has the tests run under sanitizers, in build folders of their own: `make check-asan', `make check-tsan'.
# SPDX-License-Identifier: MIT
# Those in which programs that are built with ThreadSanitizer run under the preload library, but for the one that
# compares their times, which are ThreadSanitizer's own.
TSAN_TESTS = tests/calls/callers-test.sh tests/calls/marks-test.sh tests/cli/measure-test.sh tests/cli/sweep-test.sh \
	tests/faults/faults-test.sh tests/launch/kinds-test.sh tests/launch/mpi-test.sh tests/launch/signal-test.sh \
	tests/record/disk-test.sh tests/record/limits-test.sh tests/record/recover-test.sh tests/wire/session-test.sh \
	`echo $(SHELL_TESTS) | tr ' ' '\n' | grep -E "^tests/(shim|hostile)/" | grep -v /truth-test.sh`
EXTRA_DIST += tests/sanitizers/sanitizers.sh tests/sanitizers/leaks.supp

.PHONY: check-asan check-tsan
check-asan:
	@srcdir='$(srcdir)'; MAKE='$(MAKE)'; export srcdir MAKE; $(SHELL) $(srcdir)/tests/sanitizers/sanitizers.sh asan
check-tsan:
	@srcdir='$(srcdir)'; MAKE='$(MAKE)'; export srcdir MAKE; \
	$(SHELL) $(srcdir)/tests/sanitizers/sanitizers.sh tsan $(TSAN_TESTS)
