# local.mk: builds analysis/report: what the runs say, and its writers.
# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libreport.a
libreport_a_SOURCES = analysis/report/report.c analysis/report/report.h analysis/report/build.h \
	analysis/report/runs.c analysis/report/rows.c analysis/report/shapes.c \
	analysis/report/callers.c analysis/report/text_callers.c \
	analysis/report/roofline.c analysis/report/text_roofline.c \
	analysis/report/categories.c analysis/report/categories.h analysis/report/category_rows.c \
	analysis/report/text_functions.c analysis/report/mpi.c \
	analysis/report/processes.c analysis/report/text_processes.c \
	analysis/report/functions.c analysis/report/regions.c analysis/report/losses.c \
	analysis/report/scaling.c analysis/report/scaling.h \
	analysis/report/checks_runs.c analysis/report/text_verdict.c \
	analysis/report/text_scaling.c analysis/report/text_repeats.c analysis/report/parts.c \
	analysis/report/stacks.c analysis/report/text_stacks.c \
	analysis/report/cells.c \
	analysis/report/waits.c analysis/report/text_waits.c \
	analysis/report/warnings.c analysis/report/warnings.h \
	analysis/report/checks.c analysis/report/checks.h \
	analysis/report/counters.c analysis/report/counters.h analysis/report/text_counters.c \
	analysis/report/shape_counters.c \
	analysis/report/columns.c analysis/report/columns.h \
	analysis/report/format.c analysis/report/format.h analysis/report/csv.c \
	analysis/report/text.c analysis/report/text.h analysis/report/text_tables.c \
	analysis/report/grid.c analysis/report/grid.h \
	analysis/report/human.c analysis/report/human.h \
	analysis/report/escape.c analysis/report/escape.h \
	analysis/report/csv.h analysis/report/tsv.c \
	analysis/report/json.c analysis/report/json.h analysis/report/xlsx.c analysis/report/html.c analysis/report/xlsx_chart.c analysis/report/xlsx_looks.c analysis/report/xlsx.h \
	analysis/report/scratch.c analysis/report/scratch.h analysis/report/latencies.c \
	analysis/report/pictures.c analysis/report/picture_roofline.c analysis/report/pictures.h analysis/report/gnuplot.c \
	analysis/report/cell_name.c analysis/report/cell_name.h \
	analysis/report/compare_cells.c analysis/report/compare_cells.h analysis/report/compare_cells_write.c \
	analysis/report/compare.c analysis/report/compare.h analysis/report/compare_write.c \
	analysis/report/predict.c analysis/report/predict.h analysis/report/predict_write.c \
	analysis/report/frame_tree.c analysis/report/frame_tree.h \
	analysis/report/spans.c analysis/report/chrome.c analysis/report/firefox.c analysis/report/folded.c analysis/report/pprof.c \
	analysis/report/repeats.c analysis/report/repeats.h \
	analysis/report/sizes.c analysis/report/sizes.h \
	analysis/report/table_format.c analysis/report/table_format.h \
	analysis/report/paper.c analysis/report/paper.h analysis/report/text_bars.c \
	analysis/report/view.c analysis/report/view.h analysis/report/text_view.c \
	analysis/report/c_locale.c analysis/report/c_locale.h
libreport_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(XLSXWRITER_CFLAGS) $(ZLIB_CFLAGS)
# What a program needs that links libreport.a.
REPORT_LIBS = $(JANSSON_LIBS) $(XLSXWRITER_LIBS) $(ZLIB_LIBS)
dist_pkgdata_DATA = analysis/report/report.schema.json

# The table of categories, installed; a copy beside the program is for what is not installed yet.
EXTRA_DIST += analysis/report/categories.txt
pkgdata_DATA += categories.txt
CLEANFILES += categories.txt
categories.txt: $(srcdir)/analysis/report/categories.txt
	$(AM_V_GEN)cp $< $@
