# local.mk: builds the tests on real programs: Node and Python by default, heavier ones by `make check-clients'.
# SPDX-License-Identifier: MIT
clients_tests = tests/clients/node-test.sh tests/clients/python-test.sh
SHELL_TESTS += $(clients_tests)
clients_heavy = \
	tests/clients/jit-test.sh \
	tests/clients/blastest-test.sh \
	tests/clients/octave-test.sh \
	tests/clients/onnx-test.sh \
	tests/clients/others-test.sh \
	tests/clients/scipy-test.sh
EXTRA_DIST += tests/clients/calls.py tests/clients/onnx.js tests/clients/processes.py tests/clients/scipy_calls.py $(clients_heavy)

# a second preload library, which counts by itself
check_LTLIBRARIES += tests/clients/libcounter.la
tests_clients_libcounter_la_SOURCES = tests/clients/counter.c
tests_clients_libcounter_la_CFLAGS = $(BASE_CFLAGS)
# It brings the BLAS along: where a program opens one privately, there is none after this library. libtool forgets a
# library that is named by its version, unless it is the linker's.
tests_clients_libcounter_la_LDFLAGS = -module -avoid-version -rpath /nowhere -Wl,--no-as-needed \
	-Wl,$(NETLIB_LIBDIR)/libblas.so.3
tests_clients_libcounter_la_LIBADD = -ldl

# They need packages that nothing else needs: python3-scipy, octave, libblas-test, liblapack3, valgrind; a test whose
# program is missing says so and is skipped. The test of ONNX Runtime gets that from the npm registry.
check-clients: all $(check_LTLIBRARIES)
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(clients_tests) $(clients_heavy)'
.PHONY: check-clients
