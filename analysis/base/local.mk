# local.mk: builds analysis/base: arrays, errors, text, ranges and small files, for every other room.
# SPDX-License-Identifier: MIT
libanalysis_a_SOURCES += \
	analysis/base/array.c \
	analysis/base/array.h \
	analysis/base/memory.c \
	analysis/base/memory.h \
	analysis/base/compute_unit.h \
	analysis/base/early.h \
	analysis/base/error.c \
	analysis/base/error.h \
	analysis/base/human.c \
	analysis/base/human.h \
	analysis/base/idmap.c \
	analysis/base/idmap.h \
	analysis/base/installed.c \
	analysis/base/installed.h \
	analysis/base/machine_files.c \
	analysis/base/machine_files.h \
	analysis/base/nearest.c \
	analysis/base/nearest.h \
	analysis/base/ranges.c \
	analysis/base/ranges.h \
	analysis/base/string_pool.c \
	analysis/base/string_pool.h \
	analysis/base/text.h \
	analysis/base/utf8.c \
	analysis/base/utf8.h
