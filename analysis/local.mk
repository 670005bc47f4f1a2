# local.mk: gathers the analysis folders, from the bottom up.
# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libanalysis.a
libanalysis_a_SOURCES =
libanalysis_a_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS) $(JANSSON_CFLAGS) $(XLSXWRITER_CFLAGS) $(ZLIB_CFLAGS)
# what a program needs that links it
ANALYSIS_LIBS = $(JANSSON_LIBS) $(XLSXWRITER_LIBS) $(ZLIB_LIBS) $(SQLITE_LIBS) -lm

include $(srcdir)/analysis/base/local.mk
include $(srcdir)/analysis/model/local.mk
include $(srcdir)/analysis/store/local.mk
include $(srcdir)/analysis/report/local.mk
include $(srcdir)/analysis/write/local.mk
include $(srcdir)/analysis/page/local.mk
