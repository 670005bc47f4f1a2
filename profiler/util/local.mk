# local.mk: builds profiler/util, what every other part may use.
# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libutil.a
libutil_a_SOURCES = profiler/util/error.c profiler/util/error.h
libutil_a_SOURCES += profiler/util/utf8.c profiler/util/utf8.h
libutil_a_SOURCES += profiler/util/nearest.c profiler/util/nearest.h
libutil_a_SOURCES += profiler/util/array.c profiler/util/array.h
libutil_a_SOURCES += profiler/util/ranges.c profiler/util/ranges.h
libutil_a_SOURCES += profiler/util/installed.c profiler/util/installed.h
libutil_a_SOURCES += profiler/util/cache_file.c profiler/util/cache_file.h
