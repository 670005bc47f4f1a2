# local.mk: builds profiler/machine: facts about the machine, and what it can do at most.
# SPDX-License-Identifier: MIT
libprofiler_a_SOURCES += \
	profiler/machine/bandwidth.c \
	profiler/machine/cache.c \
	profiler/machine/cache.h \
	profiler/machine/flops.c \
	profiler/machine/kernels.h \
	profiler/machine/machine.c \
	profiler/machine/machine.h \
	profiler/machine/machine_check.c \
	profiler/machine/machine_check.h \
	profiler/machine/machine_cpus.c \
	profiler/machine/machine_probe.c \
	profiler/machine/measure.c \
	profiler/machine/measure.h \
	profiler/machine/team.c \
	profiler/machine/team.h
