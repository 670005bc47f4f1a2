# local.mk: tests with real programs: Node and Python in `make check', others in `make check-clients'.
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

# a second preload library, which counts calls
check_LTLIBRARIES += tests/clients/libcounter.la
tests_clients_libcounter_la_SOURCES = tests/clients/counter.c
tests_clients_libcounter_la_CFLAGS = $(BASE_CFLAGS)
# It is linked with a BLAS library, because none follows it if a program opens its BLAS privately. libtool drops a library
# with a version in its name, unless it is an option for the linker.
tests_clients_libcounter_la_LDFLAGS = -module -avoid-version -rpath /nowhere -Wl,--no-as-needed \
	-Wl,$(NETLIB_LIBDIR)/libblas.so.3
tests_clients_libcounter_la_LIBADD = -ldl

# They need additional packages: python3-scipy, octave, libblas-test, liblapack3, valgrind. A test is skipped if its program
# is missing. The test of ONNX Runtime installs it from the npm registry.
check-clients: all $(check_LTLIBRARIES)
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(clients_tests) $(clients_heavy)'
.PHONY: check-clients
