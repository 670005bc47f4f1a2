# local.mk: builds profiler/store, runs in memory and in SQLite.
# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libstore.a
libstore_a_SOURCES = profiler/store/run.c profiler/store/run.h profiler/store/store.h
libstore_a_SOURCES += profiler/store/schema.c profiler/store/schema.h profiler/store/db.h
libstore_a_SOURCES += profiler/store/file.c profiler/store/value.c profiler/store/store.c
libstore_a_SOURCES += profiler/store/job.c profiler/store/job.h \
	profiler/store/job_rows.c profiler/store/job_rows.h \
	profiler/store/list.c profiler/store/pairs.c
libstore_a_SOURCES += profiler/store/cell.def profiler/store/cell.h profiler/store/cell_file.c profiler/store/cells.c
libstore_a_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
