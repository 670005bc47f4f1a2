# local.mk: builds profiler/perf: perf_event: events and rings.
# SPDX-License-Identifier: MIT
libprofiler_a_SOURCES += \
	profiler/perf/event.c \
	profiler/perf/event.h \
	profiler/perf/event_list.c \
	profiler/perf/event_list.h \
	profiler/perf/probe_arguments.c \
	profiler/perf/ring.c \
	profiler/perf/ring.h \
	profiler/perf/uprobe.c \
	profiler/perf/uprobe.h
