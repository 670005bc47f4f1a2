# local.mk: builds profiler/cli, the program blasprof.
# SPDX-License-Identifier: MIT
bin_PROGRAMS += blasprof
blasprof_SOURCES = \
	profiler/cli/command.h \
	profiler/cli/compare.c \
	profiler/cli/doctor.c \
	profiler/cli/experiment.c \
	profiler/cli/experiment.h \
	profiler/cli/help.c \
	profiler/cli/import.c \
	profiler/cli/list.c \
	profiler/cli/main.c \
	profiler/cli/options.c \
	profiler/cli/output.c \
	profiler/cli/plan.c \
	profiler/cli/predict.c \
	profiler/cli/record_options.c \
	profiler/cli/recover.c \
	profiler/cli/report.c \
	profiler/cli/routines.c \
	profiler/cli/run.c \
	profiler/cli/sweep.c \
	profiler/cli/sweep.h \
	profiler/cli/top.c \
	profiler/cli/try.c
blasprof_CFLAGS = $(AM_CFLAGS) $(NCURSES_CFLAGS)
blasprof_LDADD = libprofiler.a $(PROFILER_LIBS) $(NCURSES_LIBS)

# Completion scripts, which ask the program's own help.
completions = completion/bash/blasprof completion/zsh/_blasprof
EXTRA_DIST += profiler/cli/completion.bash profiler/cli/completion.zsh
CLEANFILES += $(completions)
bashcompletiondir = $(datadir)/bash-completion/completions
nodist_bashcompletion_DATA = completion/bash/blasprof
zshcompletiondir = $(datadir)/zsh/site-functions
nodist_zshcompletion_DATA = completion/zsh/_blasprof
completion/bash/blasprof: profiler/cli/completion.bash
completion/zsh/_blasprof: profiler/cli/completion.zsh
$(completions):
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)cp $(srcdir)/profiler/cli/completion.`basename $(@D)` $@
