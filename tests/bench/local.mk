# local.mk: builds the programs for `make bench`, which compares with a baseline in the same run and tests nothing.
# SPDX-License-Identifier: MIT
BENCHES += $(srcdir)/tests/bench/calls.sh $(srcdir)/tests/bench/train.sh $(srcdir)/tests/bench/whatif.sh \
	$(srcdir)/tests/bench/sampling.sh $(srcdir)/tests/bench/cells.sh $(srcdir)/tests/bench/fusion.sh \
	$(srcdir)/tests/bench/others.sh $(srcdir)/tests/bench/try.sh $(srcdir)/tests/bench/reports.sh
EXTRA_DIST += tests/bench/bench.sh tests/bench/calls.sh tests/bench/train.sh \
	tests/bench/whatif.sh tests/bench/sampling.sh tests/bench/cells.sh tests/bench/fusion.sh \
	tests/bench/others.sh tests/bench/try.sh tests/bench/reports.sh

BENCH_CFLAGS = -std=gnu11 -O2 $(WARN_CFLAGS)
EXTRA_PROGRAMS += tests/bench/calls tests/bench/calls_plugin tests/bench/usage tests/bench/turns tests/bench/sgemm_loop \
	tests/bench/neighbours tests/bench/pools
EXTRA_LTLIBRARIES += tests/bench/libnoop_blas.la tests/bench/libbare_shim.la tests/bench/libcalls_loop.la
CLEANFILES += $(EXTRA_PROGRAMS) $(EXTRA_LTLIBRARIES)
tests_bench_libnoop_blas_la_SOURCES = tests/bench/noop_blas.c tests/bench/sgemm.h
tests_bench_libnoop_blas_la_CFLAGS = $(BENCH_CFLAGS)
tests_bench_libnoop_blas_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_bench_libbare_shim_la_SOURCES = tests/bench/bare_shim.c
tests_bench_libbare_shim_la_CFLAGS = $(BENCH_CFLAGS)
tests_bench_libbare_shim_la_CPPFLAGS = $(AM_CPPFLAGS) -DNOOP_BLAS='"$(abs_builddir)/tests/bench/.libs/libnoop_blas.so"'
tests_bench_libbare_shim_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_bench_libcalls_loop_la_SOURCES = tests/bench/calls_loop.c tests/bench/sgemm.h
tests_bench_libcalls_loop_la_CFLAGS = $(BENCH_CFLAGS)
tests_bench_libcalls_loop_la_LDFLAGS = -module -avoid-version -rpath /nowhere \
	-Wl,-rpath,$(abs_builddir)/tests/bench/.libs,--no-as-needed,$(abs_builddir)/tests/bench/.libs/libnoop_blas.so
tests_bench_libcalls_loop_la_DEPENDENCIES = tests/bench/libnoop_blas.la
tests_bench_calls_SOURCES = tests/bench/calls.c tests/bench/calls_loop.c tests/bench/sgemm.h
tests_bench_calls_CFLAGS = $(BENCH_CFLAGS)
tests_bench_calls_LDFLAGS = -Wl,-rpath,$(abs_builddir)/tests/bench/.libs
tests_bench_calls_LDADD = tests/bench/.libs/libnoop_blas.so -lpthread
tests_bench_calls_DEPENDENCIES = tests/bench/libnoop_blas.la
tests_bench_calls_plugin_SOURCES = tests/bench/calls.c tests/bench/sgemm.h
tests_bench_calls_plugin_CPPFLAGS = $(AM_CPPFLAGS) -DPLUGIN='"$(abs_builddir)/tests/bench/.libs/libcalls_loop.so"'
tests_bench_calls_plugin_CFLAGS = $(BENCH_CFLAGS)
tests_bench_calls_plugin_LDADD = -lpthread
tests_bench_calls_plugin_DEPENDENCIES = tests/bench/libcalls_loop.la
tests_bench_sgemm_loop_CFLAGS = $(BENCH_CFLAGS) $(OPENBLAS_CFLAGS)
tests_bench_sgemm_loop_LDADD = $(OPENBLAS_LIBS)
tests_bench_turns_CFLAGS = $(BENCH_CFLAGS)
tests_bench_turns_LDADD = libanalysis.a
tests_bench_neighbours_CFLAGS = $(BENCH_CFLAGS)
tests_bench_neighbours_LDADD =
tests_bench_pools_CFLAGS = $(BENCH_CFLAGS) $(OPENBLAS_CFLAGS) -fopenmp
tests_bench_pools_LDADD = $(OPENBLAS_LIBS)
tests_bench_usage_CFLAGS = $(BENCH_CFLAGS)
tests_bench_usage_LDADD =
