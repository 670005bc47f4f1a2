# local.mk: builds the tests of report.
# SPDX-License-Identifier: MIT
check_LIBRARIES += libreportfixture.a
libreportfixture_a_SOURCES = tests/report/fixture.c tests/report/fixture.h \
	tests/report/csv_reader.c tests/report/csv_reader.h
libreportfixture_a_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)

report_tests = tests/report/report_test tests/report/writer_test tests/report/warning_test \
	tests/report/scaling_test tests/report/marks_test \
	tests/report/predict_test tests/report/compare_test tests/report/categories_test \
	tests/report/waits_test tests/report/parts_test
check_PROGRAMS += $(report_tests)
TESTS += $(report_tests)
report_test_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS) -I$(srcdir)/tests/store
report_test_libs = libreportfixture.a libstorefixture.a libanalysis.a $(ANALYSIS_LIBS) $(CHECK_LIBS)

tests_report_report_test_SOURCES = tests/report/report_test.c
tests_report_report_test_CFLAGS = $(report_test_cflags)
tests_report_report_test_LDADD = $(report_test_libs)

tests_report_parts_test_SOURCES = tests/report/parts_test.c
tests_report_parts_test_CFLAGS = $(report_test_cflags)
tests_report_parts_test_LDADD = $(report_test_libs)

tests_report_waits_test_SOURCES = tests/report/waits_test.c
tests_report_waits_test_CFLAGS = $(report_test_cflags)
tests_report_waits_test_LDADD = $(report_test_libs)

tests_report_categories_test_SOURCES = tests/report/categories_test.c
tests_report_categories_test_CFLAGS = $(report_test_cflags) \
	-DTEST_CATEGORIES='"$(abs_srcdir)/analysis/report/categories.txt"'
tests_report_categories_test_LDADD = $(report_test_libs)

tests_report_writer_test_SOURCES = tests/report/writer_test.c
tests_report_writer_test_CFLAGS = $(report_test_cflags)
tests_report_writer_test_LDADD = $(report_test_libs)

tests_report_warning_test_SOURCES = tests/report/warning_test.c
tests_report_warning_test_CFLAGS = $(report_test_cflags)
tests_report_warning_test_LDADD = $(report_test_libs)

tests_report_scaling_test_SOURCES = tests/report/scaling_test.c
tests_report_scaling_test_CFLAGS = $(report_test_cflags)
tests_report_scaling_test_LDADD = $(report_test_libs)

tests_report_marks_test_SOURCES = tests/report/marks_test.c
tests_report_marks_test_CFLAGS = $(report_test_cflags)
tests_report_marks_test_LDADD = $(report_test_libs)

tests_report_predict_test_SOURCES = tests/report/predict_test.c
tests_report_predict_test_CFLAGS = $(report_test_cflags)
tests_report_predict_test_LDADD = $(report_test_libs)

tests_report_compare_test_SOURCES = tests/report/compare_test.c
tests_report_compare_test_CFLAGS = $(report_test_cflags)
tests_report_compare_test_LDADD = $(report_test_libs)

if HAVE_JSONSCHEMA
TESTS += tests/report/formats-test.sh tests/report/timeline-test.sh tests/report/firefox-test.sh \
	tests/report/hostile-test.sh
endif
EXTRA_DIST += tests/report/formats-test.sh tests/report/read_back.py tests/report/read_page.py \
	tests/report/timeline-test.sh tests/report/read_trace.py \
	tests/report/firefox-test.sh tests/report/read_firefox.py \
	tests/report/hostile-test.sh tests/report/read_hostile.py
