# local.mk: builds profiler/sampling: samples to functions, stacks and waits.
# SPDX-License-Identifier: MIT
libprofiler_a_SOURCES += \
	profiler/sampling/collect_probes.c \
	profiler/sampling/collect_samples.c \
	profiler/sampling/collect_spans.c \
	profiler/sampling/collect.h \
	profiler/sampling/collect_stacks.c \
	profiler/sampling/counters.c \
	profiler/sampling/python_reader.c \
	profiler/sampling/probe_calls.c \
	profiler/sampling/sampler.c \
	profiler/sampling/sampler.h \
	profiler/sampling/spins.c \
	profiler/sampling/timeline.c \
	profiler/sampling/timeline.h \
	profiler/sampling/unwind.c \
	profiler/sampling/wait_kinds.c
