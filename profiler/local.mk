# local.mk: gathers the profiler's folders, from the bottom up.
# SPDX-License-Identifier: MIT
include $(srcdir)/profiler/util/local.mk
include $(srcdir)/profiler/store/local.mk
include $(srcdir)/profiler/shim/local.mk
include $(srcdir)/profiler/record/local.mk
include $(srcdir)/profiler/probe/local.mk
include $(srcdir)/profiler/cli/local.mk

# what programs may include to set marks
include_HEADERS = profiler/blasprof.h
