# local.mk: gathers the profiler's folders, from the bottom up.
# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libprofiler.a
libprofiler_a_SOURCES =
libprofiler_a_CFLAGS = $(AM_CFLAGS) $(CAPSTONE_CFLAGS) $(DW_CFLAGS) $(ELF_CFLAGS)
libprofiler_a_CPPFLAGS = $(AM_CPPFLAGS) -DPACKAGE_VERSION='"$(PACKAGE_VERSION)"'
# what a program needs that links it
PROFILER_LIBS = libanalysis.a $(CAPSTONE_LIBS) $(DW_LIBS) $(ELF_LIBS) $(IBERTY_LIBS) $(PFM_LIBS) -lpthread $(ANALYSIS_LIBS)

include $(srcdir)/profiler/blas/local.mk
include $(srcdir)/profiler/wire/local.mk
include $(srcdir)/profiler/shim/local.mk
include $(srcdir)/profiler/launch/local.mk
include $(srcdir)/profiler/perf/local.mk
include $(srcdir)/profiler/symbols/local.mk
include $(srcdir)/profiler/calls/local.mk
include $(srcdir)/profiler/sampling/local.mk
include $(srcdir)/profiler/machine/local.mk
include $(srcdir)/profiler/record/local.mk
include $(srcdir)/profiler/cli/local.mk

# what programs may include to set marks
include_HEADERS = profiler/blasprof.h
