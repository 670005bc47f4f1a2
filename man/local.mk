# local.mk: builds the manual pages from the program's own help and man/*.x.
# SPDX-License-Identifier: MIT
man_pages = \
	man/blasprof.1 \
	man/blasprof-compare.1 \
	man/blasprof-doctor.1 \
	man/blasprof-help.1 \
	man/blasprof-import.1 \
	man/blasprof-list.1 \
	man/blasprof-predict.1 \
	man/blasprof-recover.1 \
	man/blasprof-report.1 \
	man/blasprof-routines.1 \
	man/blasprof-top.1 \
	man/blasprof-try.1
# In plain pages only the release is filled in, in list pages also the contents of tables.
plain_pages = man/blasprof.h.3 man/blasprof-costs.7
list_pages = man/blasprof-db.5 man/blasprof-models.7 man/blasprof-routines.7 man/blasprof-tables.7
EXTRA_DIST += man/fold.awk $(man_pages:.1=.x) $(plain_pages:=.in) $(list_pages:=.in)
CLEANFILES += $(man_pages) $(plain_pages) $(list_pages)
if BUILD_MAN
nodist_man_MANS = $(man_pages) $(plain_pages) $(list_pages)
noinst_PROGRAMS += man/lists_page
man_lists_page_SOURCES = man/lists_page.c
man_lists_page_LDADD = libprofiler.a $(PROFILER_LIBS)
endif
FOLD_PAGE = LC_ALL=C $(AWK) -f $(srcdir)/man/fold.awk
# The date of a page is that of the newest release in NEWS.
PAGE_DATE = `$(SED) -n '/^blasprof [0-9]/{s/.*, //p;q;}' $(srcdir)/NEWS`
FILL_PAGE = $(SED) "s/%DATE%/$(PAGE_DATE)/; s/%VERSION%/$(PACKAGE_VERSION)/"

$(man_pages): blasprof$(EXEEXT)
# The NAME section of a subcommand's page has its description in `blasprof --help'.
SUFFIXES = .x .1
.x.1:
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)page=`echo '$*' | $(SED) 's,^man/blasprof-*,,'`; \
	name=`./blasprof --help | $(SED) -n "s/^  $${page:-none}  *//p"`; \
	$(HELP2MAN) --no-info --manual='User Commands' --include=$< \
		--name="$${name:-measure how BLAS limits the speed-up of a threaded program}" \
		"./blasprof $$page" >$@.tmp && \
	$(SED) "/^\.TH/s/\"[A-Z][a-z]* [0-9]*\"/\"$(PAGE_DATE)\"/" $@.tmp | $(FOLD_PAGE) >$@ && rm -f $@.tmp

man/blasprof.h.3: $(srcdir)/man/blasprof.h.3.in
man/blasprof-costs.7: $(srcdir)/man/blasprof-costs.7.in
$(plain_pages): $(srcdir)/NEWS
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(FILL_PAGE) $(srcdir)/$@.in | $(FOLD_PAGE) >$@

man/blasprof-db.5: $(srcdir)/man/blasprof-db.5.in
man/blasprof-models.7: $(srcdir)/man/blasprof-models.7.in
man/blasprof-routines.7: $(srcdir)/man/blasprof-routines.7.in
man/blasprof-tables.7: $(srcdir)/man/blasprof-tables.7.in
$(list_pages): man/lists_page$(EXEEXT) $(srcdir)/NEWS
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)man/lists_page$(EXEEXT) $(srcdir)/$@.in >$@.tmp && $(FILL_PAGE) $@.tmp | $(FOLD_PAGE) >$@ && rm -f $@.tmp
