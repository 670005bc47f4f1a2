# local.mk: builds the tests of the preload library: programs that print what the profile must show.
# SPDX-License-Identifier: MIT
SHELL_TESTS += \
	tests/shim/counts-test.sh \
	tests/shim/ends-test.sh \
	tests/shim/facts-test.sh \
	tests/shim/header-test.sh \
	tests/shim/itt-test.sh \
	tests/shim/jumps-test.sh \
	tests/shim/loads-test.sh \
	tests/shim/lookups-test.sh \
	tests/shim/marks-test.sh \
	tests/shim/old-libc-test.sh \
	tests/shim/ompt-test.sh \
	tests/shim/own-cost-test.sh \
	tests/shim/setuid-test.sh \
	tests/shim/threads-test.sh \
	tests/shim/truth-test.sh \
	tests/shim/variants-test.sh \
	tests/shim/workload-test.sh

ALONE_SHELL_TESTS += tests/shim/onednn-test.sh
AM_TESTS_ENVIRONMENT += NETLIB='$(NETLIB_LIBDIR)/libblas.so.3'; export NETLIB;

SHIM_TEST_CFLAGS = $(BASE_CFLAGS) $(TSAN_CFLAGS)
VARIANTS_LIB_LDFLAGS = $(TSAN_CFLAGS) -module -avoid-version -rpath /nowhere
EXTRA_DIST += tests/shim/cpu_alarm.h tests/shim/find.h tests/shim/pauses.h tests/shim/truth_blas.h tests/shim/truth_burn.h
check_PROGRAMS += tests/shim/truth tests/shim/ends tests/shim/ends_linked tests/shim/itt tests/shim/ompt tests/shim/begins tests/shim/loads \
	tests/shim/lookups tests/shim/jumps tests/shim/marks tests/shim/counts-openblas tests/shim/counts-blis \
	tests/shim/counts-netlib tests/shim/variants tests/shim/own_cost
check_LTLIBRARIES += tests/shim/libtruth_blas.la tests/shim/libpauses.la tests/shim/libplugin.la tests/shim/libplugin_begins.la \
	tests/shim/libown_blas.la tests/shim/libvariants_all.la tests/shim/libvariants_one.la \
	tests/shim/libown_cost_blas.la

# the stand-in BLAS: a shared library, so that calls go through the loader
tests_shim_libtruth_blas_la_SOURCES = tests/shim/truth_blas.c
tests_shim_libtruth_blas_la_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_libtruth_blas_la_LDFLAGS = $(VARIANTS_LIB_LDFLAGS)
tests/shim/.libs/libtruth_blas.so: tests/shim/libtruth_blas.la
tests_shim_truth_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_truth_LDFLAGS = $(TSAN_CFLAGS) -Wl,-rpath,$(abs_builddir)/tests/shim/.libs
tests_shim_truth_LDADD = tests/shim/.libs/libtruth_blas.so -lm -lpthread
tests_shim_ends_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_ends_LDFLAGS = $(tests_shim_truth_LDFLAGS)
tests_shim_ends_LDADD = $(tests_shim_truth_LDADD)

# the same program linked with the preload library, which then stays in a setuid program
tests_shim_ends_linked_SOURCES = tests/shim/ends.c
tests_shim_ends_linked_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_ends_linked_LDFLAGS = $(tests_shim_truth_LDFLAGS) -Wl,-rpath,$(abs_builddir)/.libs -Wl,--no-as-needed
tests_shim_ends_linked_LDADD = .libs/libblasprof.so $(tests_shim_truth_LDADD)
tests_shim_ends_linked_DEPENDENCIES = libblasprof.la tests/shim/libtruth_blas.la

# has an unwinder, as C++ programs do
tests_shim_itt_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_itt_LDFLAGS = $(TSAN_CFLAGS) -Wl,--no-as-needed
tests_shim_itt_LDADD = -lgcc_s -lpthread

tests_shim_ompt_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_ompt_LDFLAGS = $(tests_shim_truth_LDFLAGS)
tests_shim_ompt_LDADD = $(tests_shim_truth_LDADD)

if HAVE_ONEDNN
check_PROGRAMS += tests/shim/onednn
tests_shim_onednn_CFLAGS = $(BASE_CFLAGS)
tests_shim_onednn_LDADD = -ldnnl
endif

# libraries that call BLAS and are unloaded: two that find it in the program, one that contains it
tests_shim_libplugin_begins_la_SOURCES = tests/shim/plugin.c
tests_shim_libplugin_begins_la_CFLAGS = $(SHIM_TEST_CFLAGS) -DBEGINS -fsemantic-interposition
tests_shim_libplugin_begins_la_LDFLAGS = $(VARIANTS_LIB_LDFLAGS)
tests_shim_libplugin_la_SOURCES = tests/shim/plugin.c
tests_shim_libplugin_la_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_libplugin_la_LDFLAGS = $(VARIANTS_LIB_LDFLAGS)
tests_shim_libown_blas_la_SOURCES = tests/shim/own_blas.c
tests_shim_libown_blas_la_CFLAGS = $(SHIM_TEST_CFLAGS) -fsemantic-interposition
tests_shim_libown_blas_la_LDFLAGS = $(VARIANTS_LIB_LDFLAGS)
tests_shim_begins_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_begins_LDFLAGS = $(tests_shim_truth_LDFLAGS) -Wl,--no-as-needed
tests_shim_begins_LDADD = tests/shim/.libs/libplugin_begins.so tests/shim/.libs/libtruth_blas.so
tests_shim_begins_DEPENDENCIES = tests/shim/libplugin_begins.la tests/shim/libtruth_blas.la
tests_shim_loads_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_loads_LDADD = -ldl
tests_shim_loads_LDFLAGS = $(TSAN_CFLAGS)
tests_shim_lookups_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_lookups_LDADD = -ldl
tests_shim_lookups_LDFLAGS = $(TSAN_CFLAGS)

tests_shim_libpauses_la_SOURCES = tests/shim/pauses.c
tests_shim_libpauses_la_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_libpauses_la_LDFLAGS = $(VARIANTS_LIB_LDFLAGS)
tests_shim_jumps_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_jumps_LDFLAGS = $(tests_shim_truth_LDFLAGS)
tests_shim_jumps_LDADD = tests/shim/.libs/libpauses.so -ldl -lpthread
tests_shim_jumps_DEPENDENCIES = tests/shim/libpauses.la
tests_shim_marks_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_marks_LDFLAGS = $(tests_shim_truth_LDFLAGS)
tests_shim_marks_LDADD = $(tests_shim_truth_LDADD)

# every routine, on three libraries; the references are weak and alone would not link the library
tests_shim_counts_openblas_SOURCES = tests/shim/counts.c
tests_shim_counts_openblas_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_counts_openblas_LDFLAGS = $(TSAN_CFLAGS) -Wl,--no-as-needed
tests_shim_counts_openblas_LDADD = $(OPENBLAS_LIBS) -ldl -lpthread
tests_shim_counts_blis_SOURCES = tests/shim/counts.c
tests_shim_counts_blis_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_counts_blis_LDFLAGS = $(TSAN_CFLAGS) -Wl,--no-as-needed
tests_shim_counts_blis_LDADD = $(BLIS_LIBS) -ldl -lpthread
tests_shim_counts_netlib_SOURCES = tests/shim/counts.c
tests_shim_counts_netlib_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_counts_netlib_LDFLAGS = $(TSAN_CFLAGS) -Wl,--no-as-needed -Wl,-rpath,$(NETLIB_LIBDIR)
tests_shim_counts_netlib_LDADD = $(NETLIB_LIBDIR)/libblas.so.3 -ldl -lpthread

# every name, on stand-in libraries: one has all names, one only one spelling
variants_headers = tests/shim/arguments.h tests/shim/digest.h tests/shim/variants_blas.h tests/shim/variants_calls.h \
	tests/shim/variants_width.h
tests_shim_libvariants_all_la_SOURCES = tests/shim/variants_blas32.c tests/shim/variants_blas64.c $(variants_headers)
tests_shim_libvariants_all_la_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_libvariants_all_la_LDFLAGS = $(VARIANTS_LIB_LDFLAGS)
tests_shim_libvariants_one_la_SOURCES = tests/shim/variants_blas32.c tests/shim/variants_blas64.c
tests_shim_libvariants_one_la_CFLAGS = $(SHIM_TEST_CFLAGS) -DONE_VARIANT
tests_shim_libvariants_one_la_LDFLAGS = $(VARIANTS_LIB_LDFLAGS)
tests_shim_variants_SOURCES = tests/shim/variants.c tests/shim/variants32.c tests/shim/variants64.c
tests_shim_variants_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_variants_LDFLAGS = $(tests_shim_truth_LDFLAGS)
tests_shim_variants_LDADD = tests/shim/.libs/libvariants_all.so -ldl
tests_shim_variants_DEPENDENCIES = tests/shim/libvariants_all.la

# a BLAS that does nothing, behind names that the preload library can intercept
tests_shim_libown_cost_blas_la_SOURCES = tests/shim/own_cost_blas.c
tests_shim_libown_cost_blas_la_CFLAGS = $(SHIM_TEST_CFLAGS) -fsemantic-interposition
tests_shim_libown_cost_blas_la_LDFLAGS = $(VARIANTS_LIB_LDFLAGS)
tests_shim_own_cost_CFLAGS = $(SHIM_TEST_CFLAGS)
tests_shim_own_cost_LDFLAGS = $(TSAN_CFLAGS)
tests_shim_own_cost_LDADD = -ldl
