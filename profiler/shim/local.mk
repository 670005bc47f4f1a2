# local.mk: builds the preload library.
# SPDX-License-Identifier: MIT
pkglib_LTLIBRARIES += libblasprof.la
libblasprof_la_SOURCES = \
	profiler/shim/blas_facts.c \
	profiler/shim/call_sites.c \
	profiler/shim/call.h \
	profiler/shim/calls.c \
	profiler/shim/signal_guard.h \
	profiler/shim/counters.c \
	profiler/shim/dlsym.c \
	profiler/shim/dlsym.h \
	profiler/shim/entries.c \
	profiler/shim/float_guard.h \
	profiler/shim/gaps.c \
	profiler/shim/glibc.h \
	profiler/shim/itt.c \
	profiler/shim/jit.c \
	profiler/shim/maps.c \
	profiler/shim/mpi.c \
	profiler/shim/nested.c \
	profiler/shim/objects.c \
	profiler/shim/objects.h \
	profiler/shim/offcpu.c \
	profiler/shim/onednn.c \
	profiler/shim/onednn_info.c \
	profiler/shim/ompt.c \
	profiler/shim/plain.c \
	profiler/shim/regions.c \
	profiler/shim/resolve.c \
	profiler/shim/roots.c \
	profiler/shim/session.c \
	profiler/shim/shim.h \
	profiler/shim/spans.c \
	profiler/shim/tasks.c \
	profiler/shim/thread.c \
	profiler/shim/walls.c \
	profiler/shim/what_if.c \
	profiler/blas/routines.c \
	profiler/wire/python.c \
	profiler/wire/session_file.c
# -fno-tree-slp-vectorize: packing two neighbouring counters for a vector add takes longer than two adds.
# -Dsyscall: this library has its own function of this name, but the program may have one, too.
# No -fexceptions: its cleanups need libgcc_s, which a program would then load before its own, newer one.
libblasprof_la_CFLAGS = -fasynchronous-unwind-tables -fno-tree-slp-vectorize $(BASE_CFLAGS) $(UBSAN_CFLAGS) $(TSAN_CFLAGS) $(COVERAGE_CFLAGS) \
	-fvisibility=hidden -fno-plt -Dsyscall=shim_syscall
# -z noseparate-code: two segments less to map, since each child of the program loads this library. -z norelro:
# shim/objects.c binds functions anew.
libblasprof_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,noseparate-code,-z,norelro
libblasprof_la_LIBADD = libwrappers.la -ldl -lpthread
# The functions that find their entry in a register. -fno-optimize-sibling-calls: a jump to the routine would make them
# copy their stack arguments first.
noinst_LTLIBRARIES = libwrappers.la
libwrappers_la_SOURCES = profiler/shim/calibrate.c profiler/shim/wrappers.h profiler/shim/wrappers32.c profiler/shim/wrappers64.c
libwrappers_la_CFLAGS = $(libblasprof_la_CFLAGS) -fno-optimize-sibling-calls $(ENTRY_CFLAGS)

# the folders in which loaders find the library for their kind of program
EXTRA_DIST += profiler/shim/kinds.sh
CLEANFILES += shim-kinds.stamp
all-local: shim-kinds.stamp
shim-kinds.stamp: libblasprof.la profiler/shim/kinds.sh
	$(AM_V_GEN)sh $(srcdir)/profiler/shim/kinds.sh .libs $(host_cpu) $(CC) && echo made >$@
install-exec-hook:
	sh $(srcdir)/profiler/shim/kinds.sh "$(DESTDIR)$(pkglibdir)" $(host_cpu) $(CC)
uninstall-hook:
	rm -rf "$(DESTDIR)$(pkglibdir)/kinds"
