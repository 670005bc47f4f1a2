# local.mk: builds the tests of record.
# SPDX-License-Identifier: MIT
RECORD_TEST_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) -I$(srcdir)/tests/record \
	-DTEST_DIR='"$(abs_builddir)/tests/record"' \
	-DTEST_SRCDIR='"$(abs_srcdir)/tests/record"'
RECORD_TEST_LIBS = librecord.a libstore.a libutil.a $(RECORD_LIBS) $(CHECK_LIBS) -lm

# the program that is sampled, in four shapes, without what would disturb its times
check_PROGRAMS += tests/record/burn tests/record/burn_no_pie
check_LTLIBRARIES += tests/record/libburn.la
BURN_CFLAGS = -std=gnu11 $(WARN_CFLAGS)
tests_record_libburn_la_SOURCES = tests/record/libburn.c tests/record/burn.h
tests_record_libburn_la_CFLAGS = $(BURN_CFLAGS)
tests_record_libburn_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_record_burn_SOURCES = tests/record/burn.c tests/record/burn.h
tests_record_burn_CFLAGS = $(BURN_CFLAGS) -fPIE
tests_record_burn_LDFLAGS = -pie
tests_record_burn_LDADD = -ldl -lpthread
tests_record_burn_no_pie_SOURCES = $(tests_record_burn_SOURCES)
tests_record_burn_no_pie_CFLAGS = $(BURN_CFLAGS) -fno-pie
tests_record_burn_no_pie_LDFLAGS = -no-pie
tests_record_burn_no_pie_LDADD = $(tests_record_burn_LDADD)

check_SCRIPTS += tests/record/burn_stripped tests/record/libburn_stripped.so
CLEANFILES += tests/record/burn_stripped tests/record/libburn_stripped.so
tests/record/burn_stripped: tests/record/burn
	$(AM_V_GEN)$(STRIP) -o $@ tests/record/burn
tests/record/libburn_stripped.so: tests/record/libburn.la
	$(AM_V_GEN)$(STRIP) -o $@ tests/record/.libs/libburn.so

check_PROGRAMS += tests/record/test_sampler
TESTS += tests/record/test_sampler
tests_record_test_sampler_SOURCES = tests/record/test_sampler.c \
	tests/record/launcher.c tests/record/launcher.h
tests_record_test_sampler_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_sampler_LDADD = $(RECORD_TEST_LIBS)
