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
	profiler/cli/list.c \
	profiler/cli/main.c \
	profiler/cli/options.c \
	profiler/cli/output.c \
	profiler/cli/output.h \
	profiler/cli/predict.c \
	profiler/cli/report.c \
	profiler/cli/routines.c \
	profiler/cli/run.c \
	profiler/cli/settings.h
blasprof_LDADD = \
	libreport.a librecord.a libroutines.a libstore.a libmodel.a libutil.a \
	$(RECORD_LIBS) $(SQLITE_LIBS) -lm
