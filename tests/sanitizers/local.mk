# local.mk: `make check-asan' and `make check-tsan' run the tests under sanitizers in separate build folders.
# SPDX-License-Identifier: MIT
# Tests in which programs built with ThreadSanitizer run under the preload library; without those that compare times, which
# ThreadSanitizer changes, and those of oneDNN and PyTorch, whose threads are not built with it.
TSAN_TESTS = tests/calls/callers-test.sh tests/calls/marks-test.sh tests/cli/measure-test.sh tests/cli/sweep-test.sh \
	tests/faults/faults-test.sh tests/launch/kinds-test.sh tests/launch/mpi-test.sh tests/launch/signal-test.sh \
	tests/record/disk-test.sh tests/record/limits-test.sh tests/record/recover-test.sh tests/wire/session-test.sh \
	`echo $(SHELL_TESTS) | tr ' ' '\n' | grep -E "^tests/(shim|hostile)/" | grep -v -e /truth- -e /onednn- -e /own-cost-`
EXTRA_DIST += tests/sanitizers/sanitizers.sh tests/sanitizers/leaks.supp

.PHONY: check-asan check-tsan
check-asan:
	@srcdir='$(srcdir)'; MAKE='$(MAKE)'; export srcdir MAKE; $(SHELL) $(srcdir)/tests/sanitizers/sanitizers.sh asan
check-tsan:
	@srcdir='$(srcdir)'; MAKE='$(MAKE)'; export srcdir MAKE; \
	$(SHELL) $(srcdir)/tests/sanitizers/sanitizers.sh tsan $(TSAN_TESTS)
