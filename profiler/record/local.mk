# local.mk: builds profiler/record.
# SPDX-License-Identifier: MIT
noinst_LIBRARIES += librecord.a
RECORD_LIBS = $(DW_LIBS) $(ELF_LIBS) $(PFM_LIBS) -lpthread
librecord_a_CFLAGS = $(AM_CFLAGS) $(DW_CFLAGS) $(ELF_CFLAGS)
librecord_a_CPPFLAGS = $(AM_CPPFLAGS) -DPACKAGE_VERSION='"$(PACKAGE_VERSION)"'
librecord_a_SOURCES = profiler/record/record.c profiler/record/record.h \
	profiler/record/live.c profiler/record/live.h

# the run: launch, session and what the shim left behind
librecord_a_SOURCES += \
	profiler/record/collect.c profiler/record/collect.h \
	profiler/record/collect_mpi.c \
	profiler/record/collect_parts.h \
	profiler/record/collect_blas.c \
	profiler/record/collect_callers.c \
	profiler/record/collect_roi.c \
	profiler/record/collect_shapes.c profiler/record/collect_spans.c \
	profiler/record/collect_stretches.c \
	profiler/record/collect_threads.c \
	profiler/record/cut_file.c profiler/record/cut_file.h \
	profiler/record/description.c profiler/record/description.h \
	profiler/record/experiment.c profiler/record/experiment.h \
	profiler/record/launch.c profiler/record/launch.h \
	profiler/record/merge_callers.c \
	profiler/record/output_tap.c profiler/record/output_tap.h \
	profiler/record/preload.c profiler/record/preload.h \
	profiler/record/process_file.c profiler/record/process_file.h \
	profiler/record/process_look.c profiler/record/process_look.h \
	profiler/record/ranks.c profiler/record/ranks.h \
	profiler/record/running.c profiler/record/running.h \
	profiler/record/recover.c profiler/record/recover.h \
	profiler/record/session.c profiler/record/session.h \
	profiler/record/target.c profiler/record/target.h \
	profiler/record/thread_index.c profiler/record/thread_index.h \
	profiler/record/thread_times.c profiler/record/thread_times.h \
	profiler/record/unseen.c profiler/record/unseen.h \
	profiler/shim/session_file.c profiler/shim/session_file.h

# the sampler
librecord_a_SOURCES += \
	profiler/record/blas_objects.c profiler/record/blas_objects.h \
	profiler/record/blas_symbols.c profiler/record/blas_symbols.h \
	profiler/record/call_graph.c profiler/record/call_graph.h \
	profiler/record/call_workers.c profiler/record/call_workers.h \
	profiler/record/choose_event.c profiler/record/choose_event.h \
	profiler/record/collect_probes.c \
	profiler/record/collect_processes.c \
	profiler/record/collect_samples.c \
	profiler/record/collect_stacks.c profiler/record/collect_stacks.h \
	profiler/record/counters.c profiler/record/counters.h \
	profiler/record/crowd.c profiler/record/crowd.h \
	profiler/record/counters_parts.h \
	profiler/record/counters_share.c \
	profiler/record/debug_info.c profiler/record/debug_info.h \
	profiler/record/demangle.c profiler/record/demangle.h \
	profiler/record/energy.c profiler/record/energy.h \
	profiler/record/event.c profiler/record/event.h \
	profiler/record/event_list.c profiler/record/event_list.h \
	profiler/record/event_sets.c profiler/record/event_sets.h \
	profiler/record/exact.c profiler/record/exact.h \
	profiler/record/frame_rules.c profiler/record/frame_rules.h \
	profiler/record/functions.c profiler/record/functions.h \
	profiler/record/idmap.c profiler/record/idmap.h \
	profiler/record/jit_dump.c profiler/record/jit_dump.h \
	profiler/record/jit_files.c profiler/record/jit_files.h \
	profiler/record/jit_map.c profiler/record/jit_map.h \
	profiler/record/jit_names.c profiler/record/jit_names.h \
	profiler/record/kallsyms.c profiler/record/kallsyms.h \
	profiler/record/kernel_names.c profiler/record/kernel_names.h \
	profiler/record/merge.c profiler/record/merge.h \
	profiler/record/naming.c profiler/record/naming.h \
	profiler/record/object_check.c profiler/record/object_check.h \
	profiler/record/perf_open.c profiler/record/perf_open.h \
	profiler/record/probe_arguments.c profiler/record/probe_arguments.h \
	profiler/record/probe_arguments32.c profiler/record/probe_arguments64.c \
	profiler/record/probe_arguments_each.h \
	profiler/record/probe_calls.c profiler/record/probe_calls.h \
	profiler/record/probe_cost.c \
	profiler/record/probes.c profiler/record/probes.h \
	profiler/record/sampler_probes.c \
	profiler/record/places.c profiler/record/places.h \
	profiler/record/ring.c profiler/record/ring.h \
	profiler/record/rings.c \
	profiler/record/sample_log.c profiler/record/sample_log.h \
	profiler/record/sample_record.c profiler/record/sample_record.h \
	profiler/record/sampler.c profiler/record/sampler.h \
	profiler/record/sampler_parts.h \
	profiler/record/spaces.c profiler/record/spaces.h \
	profiler/record/stack_tree.c profiler/record/stack_tree.h \
	profiler/record/symbols.c profiler/record/symbols.h \
	profiler/record/sysfs_event.c profiler/record/sysfs_event.h \
	profiler/record/texts.c profiler/record/texts.h \
	profiler/record/timeline.c profiler/record/timeline.h \
	profiler/record/unwind.c profiler/record/unwind.h \
	profiler/record/wait_kinds.c profiler/record/wait_kinds.h \
	profiler/record/wait_regions.c profiler/record/wait_regions.h \
	profiler/record/wait_spans.c profiler/record/wait_spans.h

# the machine
librecord_a_SOURCES += \
	profiler/record/machine.c profiler/record/machine.h \
	profiler/record/machine_check.c profiler/record/machine_check.h \
	profiler/record/machine_cpus.c \
	profiler/record/machine_files.c profiler/record/machine_files.h \
	profiler/record/machine_probe.c
