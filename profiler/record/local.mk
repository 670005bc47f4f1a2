# local.mk: builds profiler/record: one recording, from start to end.
# SPDX-License-Identifier: MIT
libprofiler_a_SOURCES += \
	profiler/record/experiment.c \
	profiler/record/record.c \
	profiler/record/record.h \
	profiler/record/recover.c \
	profiler/record/watch.c
