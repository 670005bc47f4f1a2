# local.mk: builds the tests of profiler/sampling.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/sampling/counters_test \
	tests/sampling/probe_calls_test \
	tests/sampling/sampler_test \
	tests/sampling/timeline_test \
	tests/sampling/unwind_test
SHELL_TESTS += \
	tests/sampling/gil-test.sh \
	tests/sampling/matrix-test.sh \
	tests/sampling/namespaces-test.sh \
	tests/sampling/python-test.sh \
	tests/sampling/roots-test.sh \
	tests/sampling/stacks-test.sh \
	tests/sampling/waits-test.sh
ALONE_UNIT_TESTS += tests/sampling/shares_test
ALONE_SHELL_TESTS += \
	tests/sampling/handover-test.sh \
	tests/sampling/spins-test.sh \
	tests/sampling/workers-test.sh
tests_sampling_unwind_test_CPPFLAGS = $(AM_CPPFLAGS) $(UNWIND_CFLAGS)
tests_sampling_unwind_test_LDADD = $(LDADD) $(UNWIND_LIBS)

libtests_a_SOURCES += tests/sampling/launcher.c tests/sampling/launcher.h
tests_sampling_counters_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=syscall

# the program that is sampled: position-independent or not, and stripped; without flags that would disturb its times
check_PROGRAMS += tests/sampling/burn tests/sampling/burn_no_pie
check_LTLIBRARIES += tests/sampling/libburn.la
BURN_CFLAGS = -std=gnu11 $(WARN_CFLAGS)
tests_sampling_libburn_la_SOURCES = tests/sampling/libburn.c tests/sampling/burn.h
tests_sampling_libburn_la_CFLAGS = $(BURN_CFLAGS)
tests_sampling_libburn_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_sampling_burn_SOURCES = tests/sampling/burn.c tests/sampling/burn.h
tests_sampling_burn_CFLAGS = $(BURN_CFLAGS) -fPIE
tests_sampling_burn_LDFLAGS = -pie
tests_sampling_burn_LDADD = -ldl -lpthread
tests_sampling_burn_no_pie_SOURCES = $(tests_sampling_burn_SOURCES)
tests_sampling_burn_no_pie_CFLAGS = $(BURN_CFLAGS) -fno-pie
tests_sampling_burn_no_pie_LDFLAGS = -no-pie
tests_sampling_burn_no_pie_LDADD = $(tests_sampling_burn_LDADD)

check_SCRIPTS += tests/sampling/burn_stripped tests/sampling/libburn_stripped.so tests/sampling/libggml_matrix
CLEANFILES += tests/sampling/burn_stripped tests/sampling/libburn_stripped.so tests/sampling/libggml_matrix
tests/sampling/burn_stripped: tests/sampling/burn
	$(AM_V_GEN)$(STRIP) -o $@ tests/sampling/burn
tests/sampling/libburn_stripped.so: tests/sampling/libburn.la
	$(AM_V_GEN)$(STRIP) -o $@ tests/sampling/.libs/libburn.so

check_PROGRAMS += tests/sampling/spins
tests_sampling_spins_CFLAGS = $(BURN_CFLAGS) -O2 -fopenmp $(OPENBLAS_CFLAGS)
tests_sampling_spins_LDADD = $(OPENBLAS_LIBS) -lpthread

# Without sanitizers: their own functions would be those that wait.
check_PROGRAMS += tests/sampling/waits
tests_sampling_waits_LDADD = $(OPENBLAS_LIBS) -lpthread
tests_sampling_waits_CFLAGS = $(BASE_CFLAGS) $(COVERAGE_CFLAGS) $(OPENBLAS_CFLAGS)
tests_sampling_waits_LDFLAGS = $(COVERAGE_CFLAGS)

# matrix work in functions of its own, with symbols and without; the stripped copy has the name of a library that does such work
check_PROGRAMS += tests/sampling/matrix
tests_sampling_matrix_CFLAGS = $(BURN_CFLAGS) -O2 $(OPENBLAS_CFLAGS)
tests_sampling_matrix_LDADD = $(OPENBLAS_LIBS) -lpthread
tests/sampling/libggml_matrix: tests/sampling/matrix
	$(AM_V_GEN)$(STRIP) -o $@ tests/sampling/matrix
