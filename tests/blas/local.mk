# local.mk: builds the tests of profiler/blas.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/blas/routines_test
