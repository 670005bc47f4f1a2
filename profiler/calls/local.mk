# local.mk: builds profiler/calls: the preload library's records to a run's rows.
# SPDX-License-Identifier: MIT
libprofiler_a_SOURCES += \
	profiler/calls/collect.c \
	profiler/calls/collect.h \
	profiler/calls/exact.c \
	profiler/calls/records.c \
	profiler/calls/records.h \
	profiler/calls/roi.c \
	profiler/calls/shapes.c \
	profiler/calls/thread_times.c \
	profiler/calls/threads.c \
	profiler/calls/wait_regions.c
