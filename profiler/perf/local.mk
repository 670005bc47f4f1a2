# local.mk: builds profiler/perf: perf_event: events and rings.
# SPDX-License-Identifier: MIT
libprofiler_a_SOURCES += \
	profiler/perf/call_graph.c \
	profiler/perf/call_graph.h \
	profiler/perf/choose_event.c \
	profiler/perf/choose_event.h \
	profiler/perf/energy.c \
	profiler/perf/energy.h \
	profiler/perf/event.c \
	profiler/perf/event.h \
	profiler/perf/event_list.c \
	profiler/perf/event_list.h \
	profiler/perf/event_sets.c \
	profiler/perf/event_sets.h \
	profiler/perf/perf_open.c \
	profiler/perf/perf_open.h \
	profiler/perf/probe_arguments.c \
	profiler/perf/probe_arguments.h \
	profiler/perf/probe_arguments32.c \
	profiler/perf/probe_arguments64.c \
	profiler/perf/probe_arguments_each.h \
	profiler/perf/probe_cost.c \
	profiler/perf/probes.c \
	profiler/perf/probes.h \
	profiler/perf/ring.c \
	profiler/perf/ring.h \
	profiler/perf/rings.c \
	profiler/perf/sample_record.c \
	profiler/perf/sample_record.h \
	profiler/perf/sysfs_event.c \
	profiler/perf/sysfs_event.h
