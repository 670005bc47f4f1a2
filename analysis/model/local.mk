# local.mk: builds analysis/model: accounting, statistics and models.
# SPDX-License-Identifier: MIT
libanalysis_a_SOURCES += \
	analysis/model/accounting.c \
	analysis/model/accounting.h \
	analysis/model/density.c \
	analysis/model/density.h \
	analysis/model/estimate.c \
	analysis/model/estimate.h \
	analysis/model/fit.c \
	analysis/model/fit.h \
	analysis/model/models.c \
	analysis/model/models.h \
	analysis/model/replay.c \
	analysis/model/replay.h \
	analysis/model/roofline.c \
	analysis/model/roofline.h \
	analysis/model/search.c \
	analysis/model/search.h \
	analysis/model/stats.c \
	analysis/model/stats.h \
	analysis/model/category.c \
	analysis/model/category.h
