# local.mk: builds profiler/symbols: names of code.
# SPDX-License-Identifier: MIT
libprofiler_a_SOURCES += \
	profiler/symbols/blas_symbols.c \
	profiler/symbols/blas_symbols.h \
	profiler/symbols/debug_info.c \
	profiler/symbols/debug_info.h \
	profiler/symbols/demangle.c \
	profiler/symbols/demangle.h \
	profiler/symbols/functions.c \
	profiler/symbols/functions.h \
	profiler/symbols/jit_dump.c \
	profiler/symbols/jit_dump.h \
	profiler/symbols/jit_files.c \
	profiler/symbols/jit_files.h \
	profiler/symbols/jit_map.c \
	profiler/symbols/jit_map.h \
	profiler/symbols/jit_names.c \
	profiler/symbols/jit_names.h \
	profiler/symbols/kallsyms.c \
	profiler/symbols/kallsyms.h \
	profiler/symbols/kernel_names.c \
	profiler/symbols/kernel_names.h \
	profiler/symbols/naming.c \
	profiler/symbols/naming.h \
	profiler/symbols/object_check.c \
	profiler/symbols/object_check.h \
	profiler/symbols/places.c \
	profiler/symbols/places.h \
	profiler/symbols/symbols.c \
	profiler/symbols/symbols.h \
	profiler/symbols/texts.c \
	profiler/symbols/texts.h
