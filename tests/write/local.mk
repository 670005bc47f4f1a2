# local.mk: builds the tests of analysis/write.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/write/writer_test
SHELL_TESTS += \
	tests/write/brief-test.sh \
	tests/write/view-test.sh

libtests_a_SOURCES += tests/write/csv_reader.c tests/write/csv_reader.h

# The following tests need Python's jsonschema.
if HAVE_JSONSCHEMA
SHELL_TESTS += $(json_tests)
endif
json_tests = tests/write/formats-test.sh tests/write/hostile-test.sh tests/write/timeline-test.sh
EXTRA_DIST += $(json_tests) tests/write/read_back.py tests/write/read_firefox.py tests/write/read_hostile.py \
	tests/write/read_trace.py
