# local.mk: builds analysis/report: what the runs say.
# SPDX-License-Identifier: MIT
libanalysis_a_SOURCES += \
	analysis/report/build.h \
	analysis/report/calls.c \
	analysis/report/categories.c \
	analysis/report/categories.h \
	analysis/report/cause_claim.c \
	analysis/report/cause_claim.h \
	analysis/report/cause_evidence.c \
	analysis/report/cause_evidence.h \
	analysis/report/cause_meeting.c \
	analysis/report/cause_no_cpu.c \
	analysis/report/cause_place.c \
	analysis/report/cause_place.h \
	analysis/report/cause_prospect.c \
	analysis/report/cause_search.c \
	analysis/report/cause_serial.c \
	analysis/report/cause_slower.c \
	analysis/report/cause_spin.c \
	analysis/report/cause_text.c \
	analysis/report/cause_text.h \
	analysis/report/cause_waiting.c \
	analysis/report/causes.c \
	analysis/report/causes.h \
	analysis/report/cells.c \
	analysis/report/code.c \
	analysis/report/columns.c \
	analysis/report/columns.h \
	analysis/report/compare.c \
	analysis/report/compare.h \
	analysis/report/compare_cells.h \
	analysis/report/counters.c \
	analysis/report/job.c \
	analysis/report/losses.c \
	analysis/report/own_code.c \
	analysis/report/predict.c \
	analysis/report/predict.h \
	analysis/report/processes.c \
	analysis/report/repeats.c \
	analysis/report/repeats.h \
	analysis/report/report.h \
	analysis/report/report_build.c \
	analysis/report/report_tables.def \
	analysis/report/rows.c \
	analysis/report/runs.c \
	analysis/report/scaling.c \
	analysis/report/scaling.h \
	analysis/report/scaling_text.c \
	analysis/report/script.c \
	analysis/report/sizes.c \
	analysis/report/sizes.h \
	analysis/report/spread.c \
	analysis/report/spread.h \
	analysis/report/stacks.c \
	analysis/report/stacks.h \
	analysis/report/sums.c \
	analysis/report/sums.h \
	analysis/report/verdict.c \
	analysis/report/waits.c \
	analysis/report/warning_rows.c \
	analysis/report/warnings.c \
	analysis/report/ways.c \
	analysis/report/warnings.h
dist_pkgdata_DATA = analysis/report/report.schema.json

# The table of categories, installed; a copy beside the program is for what is not installed yet.
EXTRA_DIST += analysis/report/categories.txt
pkgdata_DATA += categories.txt
CLEANFILES += categories.txt
categories.txt: $(srcdir)/analysis/report/categories.txt
	$(AM_V_GEN)cp $< $@
