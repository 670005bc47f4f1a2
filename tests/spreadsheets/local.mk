# local.mk: runs `make check-spreadsheets', which opens the workbook and the tables in spreadsheet programs.
# SPDX-License-Identifier: MIT
EXTRA_DIST += tests/spreadsheets/spreadsheets.sh tests/spreadsheets/read_tables.py tests/spreadsheets/read_tables.R \
	tests/spreadsheets/find_chart.py

.PHONY: check-spreadsheets
check-spreadsheets: all tests/shim/truth tests/shim/libtruth_blas.la
	@srcdir='$(srcdir)'; SQLITE3='$(SQLITE3)'; export srcdir SQLITE3; \
	$(SHELL) $(srcdir)/tests/spreadsheets/spreadsheets.sh || [ $$? -eq 77 ]
