# local.mk: builds the fuzzed readers; `make fuzz' runs them with libFuzzer, for FUZZ_SECONDS in all.
# SPDX-License-Identifier: MIT
FUZZ_SECONDS = 600

fuzz_programs = tests/fuzz/fuzz
check_PROGRAMS += $(fuzz_programs) tests/fuzz/seeds
tests_fuzz_fuzz_SOURCES = tests/fuzz/fuzz.c \
	profiler/cli/plan.c profiler/cli/record_options.c profiler/wire/session_file.c
tests_fuzz_fuzz_LDFLAGS = $(fuzz_ldflags)
if ENABLE_FUZZING
fuzz_ldflags = $(AM_LDFLAGS) -fsanitize=fuzzer
else
fuzz_ldflags = $(AM_LDFLAGS)
tests_fuzz_fuzz_SOURCES += tests/fuzz/replay.c
endif

SHELL_TESTS += tests/fuzz/fuzz-test.sh
EXTRA_DIST += tests/fuzz/fuzz.sh tests/fuzz/corpus

.PHONY: fuzz fuzz-programs
fuzz-programs: tests/fuzz/seeds $(fuzz_programs)
fuzz: tests/sampling/libburn_stripped.so
	@srcdir='$(srcdir)'; FUZZ_SECONDS='$(FUZZ_SECONDS)'; MAKE='$(MAKE)'; \
	export srcdir FUZZ_SECONDS MAKE; $(SHELL) $(srcdir)/tests/fuzz/fuzz.sh
