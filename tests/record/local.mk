# local.mk: builds the tests of record.
# SPDX-License-Identifier: MIT
RECORD_TEST_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) -I$(srcdir)/tests/record \
	-DTEST_DIR='"$(abs_builddir)/tests/record"' \
	-DTEST_SRCDIR='"$(abs_srcdir)/tests/record"'
RECORD_TEST_LIBS = libprofiler.a $(PROFILER_LIBS) $(CHECK_LIBS)

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

# eight functions of all kinds
check_PROGRAMS += tests/record/shares tests/record/test_shares
TESTS += tests/record/test_shares
tests_record_shares_SOURCES = tests/record/shares.c tests/record/burn.h \
	tests/record/jit_code.c tests/record/jit_code.h
tests_record_shares_CFLAGS = $(BURN_CFLAGS)
tests_record_shares_LDADD = -ldl
tests_record_test_shares_SOURCES = tests/record/test_shares.c \
	tests/record/launcher.c tests/record/launcher.h
tests_record_test_shares_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_shares_LDADD = $(RECORD_TEST_LIBS)

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

check_PROGRAMS += tests/record/test_perf_errors tests/record/test_machine
TESTS += tests/record/test_perf_errors tests/record/test_machine
tests_record_test_perf_errors_SOURCES = tests/record/test_perf_errors.c \
	tests/record/launcher.c tests/record/launcher.h
tests_record_test_perf_errors_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_perf_errors_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=syscall -Wl,--wrap=mmap -Wl,--wrap=poll
tests_record_test_perf_errors_LDADD = $(RECORD_TEST_LIBS)
tests_record_test_machine_SOURCES = tests/record/test_machine.c
tests_record_test_machine_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_machine_LDADD = $(RECORD_TEST_LIBS)

check_PROGRAMS += tests/record/test_draining
TESTS += tests/record/test_draining
tests_record_test_draining_SOURCES = tests/record/test_draining.c \
	tests/record/launcher.c tests/record/launcher.h
tests_record_test_draining_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_draining_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=poll -Wl,--wrap=mmap -Wl,--wrap=geteuid
tests_record_test_draining_LDADD = $(RECORD_TEST_LIBS)

check_PROGRAMS += tests/record/test_timeline tests/record/test_symbols
TESTS += tests/record/test_timeline tests/record/test_symbols
tests_record_test_timeline_SOURCES = tests/record/test_timeline.c
tests_record_test_timeline_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_timeline_LDADD = $(RECORD_TEST_LIBS)
tests_record_test_symbols_SOURCES = tests/record/test_symbols.c tests/record/launcher.h
tests_record_test_symbols_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_symbols_LDADD = $(RECORD_TEST_LIBS) -ldl

check_PROGRAMS += tests/record/test_unwind
TESTS += tests/record/test_unwind
tests_record_test_unwind_SOURCES = tests/record/test_unwind.c
tests_record_test_unwind_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_unwind_LDADD = $(RECORD_TEST_LIBS)

check_PROGRAMS += tests/record/test_jit tests/record/test_jit_dump tests/record/test_objects
TESTS += tests/record/test_jit tests/record/test_jit_dump tests/record/test_objects
tests_record_test_jit_dump_SOURCES = tests/record/test_jit_dump.c
tests_record_test_jit_dump_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_jit_dump_LDADD = $(RECORD_TEST_LIBS)
tests_record_test_jit_SOURCES = tests/record/test_jit.c
tests_record_test_jit_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_jit_LDADD = $(RECORD_TEST_LIBS)
tests_record_test_objects_SOURCES = tests/record/test_objects.c tests/record/launcher.h
tests_record_test_objects_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_objects_LDADD = $(RECORD_TEST_LIBS) -ldl

check_PROGRAMS += tests/record/test_thread_times
TESTS += tests/record/test_thread_times
tests_record_test_thread_times_SOURCES = tests/record/test_thread_times.c
tests_record_test_thread_times_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_thread_times_LDADD = $(RECORD_TEST_LIBS)

check_PROGRAMS += tests/record/test_counters tests/record/test_event_names
TESTS += tests/record/test_counters tests/record/test_event_names
tests_record_test_counters_SOURCES = tests/record/test_counters.c \
	tests/record/launcher.c tests/record/launcher.h
tests_record_test_counters_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_counters_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=syscall
tests_record_test_counters_LDADD = $(RECORD_TEST_LIBS)
tests_record_test_event_names_SOURCES = tests/record/test_event_names.c
tests_record_test_event_names_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_event_names_LDADD = $(RECORD_TEST_LIBS)
# a kernel with two counters
check_LTLIBRARIES += tests/record/few_counters.la
tests_record_few_counters_la_SOURCES = tests/record/few_counters.c
tests_record_few_counters_la_CFLAGS = $(BASE_CFLAGS)
tests_record_few_counters_la_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_record_few_counters_la_LIBADD = -ldl
TESTS += tests/record/group-test.sh
TESTS += tests/record/debuginfod-test.sh
EXTRA_DIST += tests/record/group-test.sh tests/record/debuginfod-test.sh
TESTS += tests/record/disk-test.sh
EXTRA_DIST += tests/record/disk-test.sh
TESTS += tests/record/limits-test.sh tests/record/recover-test.sh tests/record/mpi-test.sh
EXTRA_DIST += tests/record/limits-test.sh tests/record/recover-test.sh tests/record/mpi-test.sh
AM_TESTS_ENVIRONMENT += MPIRUN='$(MPIRUN)'; export MPIRUN;
EXTRA_DIST += tests/record/mpi_ranks.c
if HAVE_MPI
check_PROGRAMS += tests/record/mpi_ranks
tests_record_mpi_ranks_SOURCES = tests/record/mpi_ranks.c
tests_record_mpi_ranks_CFLAGS = $(BASE_CFLAGS) $(MPI_CFLAGS)
tests_record_mpi_ranks_LDFLAGS = $(tests_shim_truth_LDFLAGS)
tests_record_mpi_ranks_LDADD = $(tests_shim_truth_LDADD) $(MPI_LIBS)
tests_record_mpi_ranks_DEPENDENCIES = tests/shim/libtruth_blas.la
endif

# a static program with BLAS routines, for probes
check_PROGRAMS += tests/record/static_blas tests/record/test_probe_calls
TESTS += tests/record/test_probe_calls tests/record/uprobes-test.sh
EXTRA_DIST += tests/record/uprobes-test.sh
tests_record_static_blas_SOURCES = tests/record/static_blas.c
tests_record_static_blas_CFLAGS = $(BASE_CFLAGS)
tests_record_static_blas_LDFLAGS = -all-static
tests_record_static_blas_LDADD = -lpthread
check_PROGRAMS += tests/record/test_cut_file
TESTS += tests/record/test_cut_file tests/record/removed-test.sh
EXTRA_DIST += tests/record/removed-test.sh
tests_record_test_cut_file_SOURCES = tests/record/test_cut_file.c
tests_record_test_cut_file_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_cut_file_LDADD = $(RECORD_TEST_LIBS)
check_PROGRAMS += tests/record/test_wait_regions
TESTS += tests/record/test_wait_regions
tests_record_test_wait_regions_SOURCES = tests/record/test_wait_regions.c
tests_record_test_wait_regions_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_wait_regions_LDADD = $(RECORD_TEST_LIBS)
tests_record_test_probe_calls_SOURCES = tests/record/test_probe_calls.c
tests_record_test_probe_calls_CFLAGS = $(RECORD_TEST_CFLAGS)
tests_record_test_probe_calls_LDADD = $(RECORD_TEST_LIBS)

# recorded machines
EXTRA_DIST += \
	tests/record/machines/arm/proc/cpuinfo \
	tests/record/machines/arm/proc/self/cgroup \
	tests/record/machines/arm/proc/self/schedstat \
	tests/record/machines/arm/proc/self/status \
	tests/record/machines/arm/proc/sys/kernel/arch \
	tests/record/machines/arm/proc/sys/kernel/hostname \
	tests/record/machines/arm/proc/sys/kernel/osrelease \
	tests/record/machines/arm/proc/sys/kernel/perf_event_paranoid \
	tests/record/machines/arm/sys/bus/event_source/devices/uprobe/type \
	tests/record/machines/arm/sys/devices/system/cpu/online \
	tests/record/machines/arm/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us \
	tests/record/machines/arm/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us \
	tests/record/machines/guest/proc/cpuinfo \
	tests/record/machines/guest/proc/kallsyms \
	tests/record/machines/guest/proc/self/cgroup \
	tests/record/machines/guest/proc/self/status \
	tests/record/machines/guest/proc/stat \
	tests/record/machines/guest/proc/sys/kernel/hostname \
	tests/record/machines/guest/proc/sys/kernel/osrelease \
	tests/record/machines/guest/proc/sys/kernel/perf_event_paranoid \
	tests/record/machines/guest/sys/devices/system/clocksource/clocksource0/current_clocksource \
	tests/record/machines/guest/sys/devices/system/cpu/online \
	tests/record/machines/server/proc/cpuinfo \
	tests/record/machines/server/proc/kallsyms \
	tests/record/machines/server/proc/self/cgroup \
	tests/record/machines/server/proc/self/schedstat \
	tests/record/machines/server/proc/self/status \
	tests/record/machines/server/proc/sys/kernel/arch \
	tests/record/machines/server/proc/sys/kernel/hostname \
	tests/record/machines/server/proc/sys/kernel/osrelease \
	tests/record/machines/server/proc/sys/kernel/perf_event_mlock_kb \
	tests/record/machines/server/proc/sys/kernel/perf_event_paranoid \
	tests/record/machines/server/sys/bus/event_source/devices/cpu/events/cache-misses \
	tests/record/machines/server/sys/bus/event_source/devices/cpu/format/event \
	tests/record/machines/server/sys/bus/event_source/devices/cpu/format/inv \
	tests/record/machines/server/sys/bus/event_source/devices/cpu/format/ldlat \
	tests/record/machines/server/sys/bus/event_source/devices/cpu/format/umask \
	tests/record/machines/server/sys/bus/event_source/devices/cpu/type \
	tests/record/machines/server/sys/bus/event_source/devices/power/cpumask \
	tests/record/machines/server/sys/bus/event_source/devices/power/events/energy-pkg \
	tests/record/machines/server/sys/bus/event_source/devices/power/events/energy-pkg.scale \
	tests/record/machines/server/sys/bus/event_source/devices/power/events/energy-pkg.unit \
	tests/record/machines/server/sys/bus/event_source/devices/power/format/event \
	tests/record/machines/server/sys/bus/event_source/devices/power/type \
	tests/record/machines/server/sys/bus/event_source/devices/uprobe/type \
	tests/record/machines/server/sys/devices/system/clocksource/clocksource0/current_clocksource \
	tests/record/machines/server/sys/devices/system/cpu/online \
	tests/record/machines/server/sys/fs/cgroup/batch.slice/cpu.max \
	tests/record/machines/server/sys/fs/cgroup/batch.slice/job_17/cpu.max
