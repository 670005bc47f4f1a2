# local.mk: builds the programs with planted causes.
# SPDX-License-Identifier: MIT
BENCHES += $(srcdir)/tests/causes/causes.sh
ALONE_SHELL_TESTS += tests/causes/causes-test.sh
EXTRA_DIST += tests/causes/causes.sh tests/causes/forks.R tests/causes/jobs.py tests/causes/openmp.c \
	tests/causes/ranks.c tests/causes/threads.py

CAUSES_CFLAGS = -std=gnu11 -O2 $(WARN_CFLAGS)
check_PROGRAMS += tests/causes/threads
EXTRA_PROGRAMS += tests/causes/blas
EXTRA_LTLIBRARIES += tests/causes/libslow_blas.la
CLEANFILES += tests/causes/gomp tests/causes/omp tests/causes/ranks
tests_causes_threads_SOURCES = tests/causes/threads.c tests/causes/work.h
tests_causes_threads_CFLAGS = $(CAUSES_CFLAGS) $(OPENBLAS_CFLAGS)
tests_causes_threads_LDADD = $(OPENBLAS_LIBS) -lpthread
tests_causes_libslow_blas_la_SOURCES = tests/causes/slow_blas.c
tests_causes_libslow_blas_la_CFLAGS = $(CAUSES_CFLAGS) $(OPENBLAS_CFLAGS)
tests_causes_libslow_blas_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_causes_blas_CFLAGS = $(CAUSES_CFLAGS) $(OPENBLAS_CFLAGS)
tests_causes_blas_LDFLAGS = -Wl,-rpath,$(abs_builddir)/tests/causes/.libs
tests_causes_blas_LDADD = tests/causes/.libs/libslow_blas.so -lpthread
tests_causes_blas_DEPENDENCIES = tests/causes/libslow_blas.la

# Programs whose compilers are optional: those that cannot be built are left out.
CAUSES_BUILT = $(CAUSES_CFLAGS) $(CPPFLAGS) -I$(srcdir)/tests/causes $(OPENBLAS_CFLAGS)
.PHONY: causes-optional
bench: causes-optional
causes-optional:
	@$(MKDIR_P) tests/causes
	-$(CC) -fopenmp $(CAUSES_BUILT) $(srcdir)/tests/causes/openmp.c -o tests/causes/gomp $(OPENBLAS_LIBS)
	-clang -fopenmp=libomp $(CAUSES_BUILT) $(srcdir)/tests/causes/openmp.c -o tests/causes/omp $(OPENBLAS_LIBS)
	-mpicc $(CAUSES_BUILT) $(srcdir)/tests/causes/ranks.c -o tests/causes/ranks $(OPENBLAS_LIBS)
