# local.mk: builds the tests of model.
# SPDX-License-Identifier: MIT
MODEL_REFERENCE = tests/model/reference/m1-chips.csv \
	tests/model/reference/m1-moe-throughput.csv tests/model/reference/m1-shares.csv
EXTRA_DIST += tests/model/reference/README $(MODEL_REFERENCE)
check_PROGRAMS += tests/model/check_model
TESTS += tests/model/check_model
tests_model_check_model_SOURCES = tests/model/check_model.c tests/model/check_model.h \
	tests/model/accounting_suite.c tests/model/models_suite.c tests/model/reference_suite.c \
	tests/model/replay_suite.c tests/model/stats_suite.c tests/model/fit_suite.c \
	tests/model/estimate_suite.c tests/model/roofline_suite.c
tests_model_check_model_CPPFLAGS = $(AM_CPPFLAGS) \
	-DREFERENCE='"$(abs_srcdir)/tests/model/reference"'
tests_model_check_model_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_model_check_model_LDADD = libanalysis.a $(ANALYSIS_LIBS) $(CHECK_LIBS)
