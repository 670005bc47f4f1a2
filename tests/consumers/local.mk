# local.mk: has other tools read the formats that are theirs, on request: `make check-consumers'.
# SPDX-License-Identifier: MIT
EXTRA_DIST += tests/consumers/consumers.sh

.PHONY: check-consumers
check-consumers: all
	@srcdir='$(srcdir)'; export srcdir; $(SHELL) $(srcdir)/tests/consumers/consumers.sh
