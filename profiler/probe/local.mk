# local.mk: builds profiler/probe, which measures what the machine can do at most.
# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libprobe.a
libprobe_a_SOURCES = \
	profiler/probe/bandwidth.c \
	profiler/probe/cache.c profiler/probe/cache.h \
	profiler/probe/flops.c \
	profiler/probe/kernels.h \
	profiler/probe/measure.c profiler/probe/measure.h \
	profiler/probe/team.c profiler/probe/team.h
