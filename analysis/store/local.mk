# local.mk: builds analysis/store: runs in memory and in SQLite.
# SPDX-License-Identifier: MIT
libanalysis_a_SOURCES += \
	analysis/store/cell.def \
	analysis/store/cell.h \
	analysis/store/cells.c \
	analysis/store/db.c \
	analysis/store/db.h \
	analysis/store/file.c \
	analysis/store/run.c \
	analysis/store/run.h \
	analysis/store/schema.c \
	analysis/store/schema.h \
	analysis/store/store.h \
	analysis/store/value.c \
	analysis/store/call_sums.h \
	analysis/store/code_location.c \
	analysis/store/code_location.h \
	analysis/store/run.def \
	analysis/store/run_tables.def \
	analysis/store/table.c \
	analysis/store/table.h
