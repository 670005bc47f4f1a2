# local.mk: builds the fuzz targets; `make fuzz' runs them under libFuzzer, for FUZZ_SECONDS in all.
# SPDX-License-Identifier: MIT
FUZZ_TARGETS = chain machine names options record report rings session store symbols
FUZZ_SECONDS = 600

check_LIBRARIES += libfuzz.a
libfuzz_a_CPPFLAGS = $(TEST_CPPFLAGS)
libfuzz_a_SOURCES = tests/fuzz/fuzz.c tests/fuzz/fuzz.h
if ENABLE_FUZZING
fuzz_ldflags = $(AM_LDFLAGS) -fsanitize=fuzzer
else
libfuzz_a_SOURCES += tests/fuzz/replay.c
fuzz_ldflags = $(AM_LDFLAGS)
endif
fuzz_libs = libfuzz.a libtests.a libprofiler.a $(PROFILER_LIBS) $(CHECK_LIBS)

fuzz_programs = tests/fuzz/chain_fuzz tests/fuzz/machine_fuzz tests/fuzz/names_fuzz tests/fuzz/options_fuzz tests/fuzz/record_fuzz \
	tests/fuzz/report_fuzz tests/fuzz/rings_fuzz tests/fuzz/session_fuzz tests/fuzz/store_fuzz tests/fuzz/symbols_fuzz
check_PROGRAMS += $(fuzz_programs) tests/fuzz/seeds
tests_fuzz_seeds_SOURCES = tests/fuzz/seeds.c tests/fuzz/seeds.h tests/fuzz/seed_chain.c tests/fuzz/chain_fuzz.h
tests_fuzz_seeds_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_chain_fuzz_SOURCES = tests/fuzz/chain_fuzz.c tests/fuzz/chain_fuzz.h profiler/shim/chain.c
tests_fuzz_chain_fuzz_CPPFLAGS = $(TEST_CPPFLAGS) -D_dl_find_object=chain_fuzz_find_object
tests_fuzz_chain_fuzz_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_chain_fuzz_LDADD = $(fuzz_libs)
tests_fuzz_machine_fuzz_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_machine_fuzz_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_machine_fuzz_LDADD = $(fuzz_libs)
tests_fuzz_names_fuzz_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_names_fuzz_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_names_fuzz_LDADD = $(fuzz_libs)
tests_fuzz_options_fuzz_SOURCES = tests/fuzz/options_fuzz.c profiler/cli/plan.c \
	profiler/cli/record_options.c
tests_fuzz_options_fuzz_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_options_fuzz_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_options_fuzz_LDADD = $(fuzz_libs)
tests_fuzz_record_fuzz_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_record_fuzz_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_record_fuzz_LDADD = $(fuzz_libs)
tests_fuzz_report_fuzz_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_report_fuzz_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_report_fuzz_LDADD = $(fuzz_libs)
tests_fuzz_rings_fuzz_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_rings_fuzz_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_rings_fuzz_LDADD = $(fuzz_libs)
tests_fuzz_session_fuzz_SOURCES = tests/fuzz/session_fuzz.c profiler/wire/session_file.c
tests_fuzz_session_fuzz_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_session_fuzz_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_session_fuzz_LDADD = $(fuzz_libs)
tests_fuzz_store_fuzz_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_store_fuzz_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_store_fuzz_LDADD = $(fuzz_libs)
tests_fuzz_symbols_fuzz_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_symbols_fuzz_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_symbols_fuzz_LDADD = $(fuzz_libs)

SHELL_TESTS += tests/fuzz/fuzz-test.sh
AM_TESTS_ENVIRONMENT += FUZZ_TARGETS='$(FUZZ_TARGETS)'; export FUZZ_TARGETS;
EXTRA_DIST += tests/fuzz/fuzz.sh \
	tests/fuzz/corpus/machine/cgroup \
	tests/fuzz/corpus/machine/cpuinfo \
	tests/fuzz/corpus/machine/cpus \
	tests/fuzz/corpus/machine/kallsyms \
	tests/fuzz/corpus/machine/quota \
	tests/fuzz/corpus/machine/quota-huge \
	tests/fuzz/corpus/machine/stat \
	tests/fuzz/corpus/names/categories \
	tests/fuzz/corpus/names/map \
	tests/fuzz/corpus/options/command \
	tests/fuzz/corpus/options/expression \
	tests/fuzz/corpus/options/parameter \
	tests/fuzz/corpus/options/ranges \
	tests/fuzz/corpus/options/variables \
	tests/fuzz/corpus/options/what-if \
	tests/fuzz/corpus/symbols/script

.PHONY: fuzz fuzz-programs
fuzz-programs: tests/fuzz/seeds $(fuzz_programs)
fuzz: tests/sampling/libburn_stripped.so
	@srcdir='$(srcdir)'; FUZZ_TARGETS='$(FUZZ_TARGETS)'; FUZZ_SECONDS='$(FUZZ_SECONDS)'; MAKE='$(MAKE)'; \
	export srcdir FUZZ_TARGETS FUZZ_SECONDS MAKE; $(SHELL) $(srcdir)/tests/fuzz/fuzz.sh
