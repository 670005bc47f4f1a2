# local.mk: builds profiler/calls: the preload library's records to a run's rows.
# SPDX-License-Identifier: MIT
libprofiler_a_SOURCES += \
	profiler/calls/collect.c \
	profiler/calls/collect.h \
	profiler/calls/collect_blas.c \
	profiler/calls/collect_callers.c \
	profiler/calls/collect_mpi.c \
	profiler/calls/collect_parts.h \
	profiler/calls/collect_roi.c \
	profiler/calls/collect_shapes.c \
	profiler/calls/collect_spans.c \
	profiler/calls/collect_stretches.c \
	profiler/calls/collect_threads.c \
	profiler/calls/exact.c \
	profiler/calls/exact.h \
	profiler/calls/live.c \
	profiler/calls/live.h \
	profiler/calls/thread_times.c \
	profiler/calls/thread_times.h \
	profiler/calls/wait_regions.c \
	profiler/calls/wait_regions.h
