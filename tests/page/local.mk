# local.mk: opens the page of a large report in a browser, on request: `make check-page'.
# SPDX-License-Identifier: MIT
EXTRA_DIST += tests/page/page.sh tests/page/page-test.mjs tests/page/large.sql

.PHONY: check-page
check-page: all tests/shim/truth tests/shim/libtruth_blas.la
	@srcdir='$(srcdir)'; SQLITE3='$(SQLITE3)'; export srcdir SQLITE3; \
	$(SHELL) $(srcdir)/tests/page/page.sh || [ $$? -eq 77 ]
