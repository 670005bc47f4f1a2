# local.mk: builds profiler/launch: starting programs.
# SPDX-License-Identifier: MIT
libprofiler_a_SOURCES += \
	profiler/launch/launch.c \
	profiler/launch/launch.h \
	profiler/launch/output_tap.c \
	profiler/launch/ranks.c \
	profiler/launch/sentinel.c \
	profiler/launch/target.c
