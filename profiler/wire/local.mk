# local.mk: builds profiler/wire: what the preload library and the recorder share: the records' layout, the session's files.
# SPDX-License-Identifier: MIT
libprofiler_a_SOURCES += \
	profiler/wire/clock.h \
	profiler/wire/files.h \
	profiler/wire/layout.h \
	profiler/wire/process_file.c \
	profiler/wire/process_file.h \
	profiler/wire/processes.c \
	profiler/wire/processes.h \
	profiler/wire/python.c \
	profiler/wire/python.h \
	profiler/wire/session.c \
	profiler/wire/session.h \
	profiler/wire/session_file.c \
	profiler/wire/session_file.h
