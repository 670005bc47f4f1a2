# local.mk: builds the tests of the manual: the pages' examples, lists and form.
# SPDX-License-Identifier: MIT
SHELL_TESTS += \
	tests/man/examples-test.sh \
	tests/man/pages-test.sh \
	tests/man/readme-test.sh \
	tests/man/tutorial-test.sh

EXTRA_DIST += tests/man/blocks-man.awk tests/man/blocks-markdown.awk tests/man/examples.sh
