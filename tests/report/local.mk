# local.mk: builds the tests of analysis/report.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/report/categories_test \
	tests/report/cells_test \
	tests/report/causes_test \
	tests/report/compare_test \
	tests/report/coverage_test \
	tests/report/job_test \
	tests/report/predict_test \
	tests/report/report_test \
	tests/report/scaling_test \
	tests/report/spread_test \
	tests/report/warning_test
SHELL_TESTS += \
	tests/report/categories-test.sh

libtests_a_SOURCES += tests/report/described_run.c tests/report/described_run.h \
	tests/report/fixture.c tests/report/fixture.h
