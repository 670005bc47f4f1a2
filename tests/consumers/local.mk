# local.mk: has other tools read the formats that are theirs, on request: `make check-consumers'.
# SPDX-License-Identifier: MIT
EXTRA_DIST += tests/consumers/consumers.sh tests/consumers/firefox.js tests/consumers/speedscope.js \
	tests/consumers/package.json tests/consumers/package-lock.json

.PHONY: check-consumers
check-consumers: all
	@srcdir='$(srcdir)'; SQLITE3='$(SQLITE3)'; export srcdir SQLITE3; $(SHELL) $(srcdir)/tests/consumers/consumers.sh
