# local.mk: builds the tests of analysis/model.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/model/model_test
tests_model_model_test_CPPFLAGS = $(TEST_CPPFLAGS)

MODEL_REFERENCE = tests/model/reference/m1-chips.csv \
	tests/model/reference/m1-moe-throughput.csv tests/model/reference/m1-shares.csv
EXTRA_DIST += tests/model/reference/README $(MODEL_REFERENCE)
tests_model_model_test_SOURCES = tests/model/model_test.c tests/model/model_test.h \
	tests/model/accounting_suite.c tests/model/models_suite.c tests/model/reference_suite.c \
	tests/model/replay_suite.c tests/model/stats_suite.c tests/model/fit_suite.c \
	tests/model/estimate_suite.c tests/model/roofline_suite.c
