# local.mk: builds the tests of analysis/model.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/model/accounting_test \
	tests/model/density_test \
	tests/model/estimate_test \
	tests/model/fit_test \
	tests/model/models_test \
	tests/model/reference_test \
	tests/model/replay_test \
	tests/model/roofline_test \
	tests/model/search_test \
	tests/model/stats_test

MODEL_REFERENCE = tests/model/reference/m1-chips.csv \
	tests/model/reference/m1-moe-throughput.csv tests/model/reference/m1-shares.csv
EXTRA_DIST += tests/model/reference/README $(MODEL_REFERENCE) tests/model/numbers.h
