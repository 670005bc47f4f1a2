# local.mk: `make check-vm' tests blasprof on an emulated machine with hardware counters; not part of `make check'.
# SPDX-License-Identifier: MIT
VM_TESTS = tests/vm/exact-test.sh tests/vm/parallel-test.sh
EXTRA_DIST += $(VM_TESTS) tests/vm/as_nobody.c tests/vm/guest.sh \
	tests/vm/guest-exact.sh tests/vm/guest-parallel.sh tests/vm/init.sh tests/vm/loop.c \
	tests/vm/tiny_blas.c tests/vm/tiny_blas.h tests/vm/vm.sh

# The tests run one after another, because guests would slow each other down. The programs of other tests are not built.
.PHONY: check-vm
check-vm:
	@$(MAKE) $(AM_MAKEFLAGS) -j1 check-TESTS TESTS='$(VM_TESTS)' check_PROGRAMS= check_LIBRARIES= check_LTLIBRARIES= check_SCRIPTS= check_DATA=

clean-local: clean-vm
.PHONY: clean-vm
clean-vm:
	rm -rf tests/vm/work
