# local.mk: builds analysis/write: the report in each of its formats.
# SPDX-License-Identifier: MIT
libanalysis_a_SOURCES += \
	analysis/write/brief.c \
	analysis/write/chrome.c \
	analysis/write/compare_cells_write.c \
	analysis/write/compare_write.c \
	analysis/write/csv.c \
	analysis/write/escape.c \
	analysis/write/escape.h \
	analysis/write/firefox.c \
	analysis/write/folded.c \
	analysis/write/format.c \
	analysis/write/format.h \
	analysis/write/frame_tree.c \
	analysis/write/frame_tree.h \
	analysis/write/grid.c \
	analysis/write/grid.h \
	analysis/write/html.c \
	analysis/write/json.c \
	analysis/write/terminal.c \
	analysis/write/terminal.h \
	analysis/write/picture_roofline.c \
	analysis/write/pictures.c \
	analysis/write/pictures.h \
	analysis/write/pprof.c \
	analysis/write/predict_write.c \
	analysis/write/sizes_write.c \
	analysis/write/text.c \
	analysis/write/text_counters.c \
	analysis/write/text_line.c \
	analysis/write/text_line.h \
	analysis/write/text_table.c \
	analysis/write/text_table.h \
	analysis/write/text_tables.c \
	analysis/write/view.c \
	analysis/write/view.h \
	analysis/write/xlsx.c
