# local.mk: builds the tests of the manual: the pages' examples, lists and form.
# SPDX-License-Identifier: MIT
manual_tests = \
	tests/manual/examples-test.sh \
	tests/manual/pages-test.sh \
	tests/manual/readme-test.sh \
	tests/manual/tutorial-test.sh
TESTS += $(manual_tests)
EXTRA_DIST += tests/manual/blocks-man.awk tests/manual/blocks-markdown.awk tests/manual/examples.sh $(manual_tests)
