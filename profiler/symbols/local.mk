# local.mk: builds profiler/symbols: names of code.
# SPDX-License-Identifier: MIT
libprofiler_a_SOURCES += \
	profiler/symbols/address_table.c \
	profiler/symbols/address_table.h \
	profiler/symbols/debug_info.c \
	profiler/symbols/instruction.c \
	profiler/symbols/loops.h \
	profiler/symbols/jit_map.c \
	profiler/symbols/jit_map.h \
	profiler/symbols/matrix_loops.c \
	profiler/symbols/naming.c \
	profiler/symbols/naming.h \
	profiler/symbols/symbols.c \
	profiler/symbols/symbols.h \
	profiler/symbols/wait_loops.c
