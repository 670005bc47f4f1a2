# local.mk: builds profiler/machine: facts about the machine, and what it can do at most.
# SPDX-License-Identifier: MIT
libprofiler_a_SOURCES += \
	profiler/machine/cache.c \
	profiler/machine/check.c \
	profiler/machine/load.c \
	profiler/machine/machine.c \
	profiler/machine/machine.h \
	profiler/machine/measure.c \
	profiler/machine/measure.h
