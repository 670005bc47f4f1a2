# local.mk: builds the tests of profiler/machine.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/machine/machine_test
SHELL_TESTS += \
	tests/machine/ceilings-test.sh
ALONE_SHELL_TESTS += tests/machine/no-cpu-test.sh

# recorded machines
EXTRA_DIST += tests/machine/caches.def tests/machine/machines
