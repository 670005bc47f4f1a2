# local.mk: makes the template of the page that `blasprof report --format html' fills in, where there is npm.
# SPDX-License-Identifier: MIT
page_sources = analysis/page/page.html analysis/page/page.css analysis/page/page.js \
	analysis/page/charts.js analysis/page/flames.js analysis/page/tables.js \
	analysis/page/package.json analysis/page/package-lock.json analysis/page/bundle.sh
EXTRA_DIST += $(page_sources)
CLEANFILES += page-template.html
if HAVE_NPM
pkgdata_DATA += page-template.html
endif
page-template.html: $(page_sources)
	$(AM_V_GEN)NPM='$(NPM)' $(srcdir)/analysis/page/bundle.sh $(srcdir)/analysis/page $@ 2>page.log || \
		{ cat page.log >&2; echo "the page's libraries cannot be brought in: choose --without-page" >&2; exit 1; }
	$(AM_V_at)rm -f page.log
