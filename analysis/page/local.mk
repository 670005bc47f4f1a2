# local.mk: makes the template of the page that `blasprof report --format html' fills in, with the parts of d3 that it uses.
# SPDX-License-Identifier: MIT
page_sources = analysis/page/page.html analysis/page/page.css analysis/page/page.js \
	analysis/page/bars.js analysis/page/charts.js analysis/page/flames.js analysis/page/tables.js
EXTRA_DIST += $(page_sources)
CLEANFILES += page-template.html page-script.js
pkgdata_DATA += page-template.html
page-template.html: $(page_sources)
	$(AM_V_GEN)NODE_PATH='$(D3_PATH)' $(ESBUILD) $(srcdir)/analysis/page/page.js --bundle --minify \
		--log-level=warning --outfile=page-script.js && \
	$(SED) -e '/^PAGE_STYLE$$/{r $(srcdir)/analysis/page/page.css' -e 'd;}' \
		-e '/^PAGE_SCRIPT$$/{r page-script.js' -e 'd;}' $(srcdir)/analysis/page/page.html >$@.tmp && mv $@.tmp $@
