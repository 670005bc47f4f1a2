/* sampler.h: samples the program, counts events, and adds both to the run. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_SAMPLER_H
#define SAMPLING_SAMPLER_H

#include <linux/perf_event.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "calls/collect.h"
#include "calls/records.h"
#include "perf/event.h"
#include "perf/event_list.h"
#include "perf/ring.h"
#include "perf/uprobe.h"
#include "sampling/timeline.h"
#include "store/run.h"

/* The descriptors of opened events; owned. */
struct event_fds {
	int *fds;
	size_t count;
};
/* Adds the descriptor that perf_open() returned. With a ring, directs the samples of the event into
 * it, and registers its id as `number` in the map. Returns 0 or minus the errno. */
int event_fds_add(struct event_fds *events, int fd, const struct ring *ring, struct idmap *ids,
		  uint32_t number);
void event_fds_close(struct event_fds *events);

struct counters;

/* What is counted, and where samples of the counted events go: one ring for each CPU, and the
 * timeline that reads them. Without rings there are only sums. */
struct counters_target {
	const char *root; /* prefix of the paths in /sys; "" except in tests */
	pid_t child;	  /* a process that waits before its exec, where the counters start */
	const struct ring *rings;
	size_t nrings;
	struct timeline *timeline;
	int rate_hz;
	const struct perf_event_attr *sampled; /* the event that is sampled anyway, or NULL */
};

/* Opens those events of the list that can be opened. The others become notes of the run
 * (counter_unknown, counter_missing, counter_refused, counter_group). Returns NULL if
 * nothing is counted. */
struct counters *counters_open(const struct event_list *list, const struct counters_target *target,
			       struct run *run);

/* Adds the sums to run->counters when the program has ended, scaled up to the whole time if an
 * event took turns with others. */
void counters_read(const struct counters *counters, struct run *run);

/* Divides what counters_read() added by the samples in the timeline: in the region [start_ns,
 * end_ns] by thread and by kind of code (code[] of each address). */
void counters_share(const struct counters *counters, const struct timeline *timeline,
		    const enum run_code *code, int64_t start_ns, int64_t end_ns, struct run *run);

void counters_free(struct counters *counters);

struct sampler_options {
	int rate_hz;	   /* samples per second and thread */
	const char *event; /* libpfm4 name, or NULL, see event_choose() */
	enum call_graph call_graph;
	int stack_bytes; /* that each sample copies with CALL_GRAPH_DWARF; 0 for the default */
	const struct event_list *counted; /* events to count too, or NULL */
	const char *probed;		  /* the file whose own BLAS routines are probed, or NULL */
};

/* collect_samples.c and collect_probes.c read it after sampling has ended. */
struct sampler {
	struct ring *rings; /* one for each online CPU */
	size_t nrings;
	struct perf_event_attr attr;
	struct event_fds waits; /* the events that tell where threads leave the CPU, by ring */
	int waits_ended;	/* 1 if these were closed because threads were started too fast */
	struct wait_pace {
		int64_t since_ns; /* the events have been on, or off, since then */
		int64_t until_ns; /* they are off until then; 0 if they are on */
		int64_t worth_ns; /* the time that the samples since then should have taken */
		int was_off;	  /* 1 if they were ever off */
	} pace;
	struct event_fds probes;
	struct blas_symbol *probed; /* the probed routines */
	size_t nprobed;
	struct probe_cost probe_cost;
	int stop_fd; /* eventfd that ends the draining thread; -1 before it has started */
	pthread_t drainer, feeder;
	int running; /* 1 while the threads run */
	/* What the draining thread hands to the feeding thread; the lock is held for no longer than
	 * a copy. */
	pthread_mutex_t lock;
	pthread_cond_t handed;
	struct ring_buffer drained;
	int64_t horizon_ns; /* no record earlier than this will come after those drained */
	int is_new; /* 1 if a task started or an object was mapped lately, or if Python runs, whose
		     * new processes must be found soon */
	int too_fast; /* 1 if threads are started too fast for the events of waits */
	int stopping;
	int64_t start_ns;
	struct merge merge;
	struct timeline timeline;
	struct counters *counters; /* NULL: none */
	uint64_t pid_space;	   /* inode of blasprof's PID namespace */
	struct outer_task *inner;  /* tasks of the program in other PID namespaces */
	size_t ninner;
};

/* Opens the events on `child`, a process that waits before its exec, and starts the threads that
 * drain the rings. The events start at the exec, and its threads and children inherit them. What is
 * missing but not fatal becomes a note of the run (rings_shrunk, no_kernel_samples, no_wait_stacks,
 * no_uprobes, sample_rate_lowered); facts are sampler_event and call_graph;
 * run->sample_rate_hz is set. Returns -1 with *err, its cause and remedy, if no sample can be had
 * at all (EPERM, EACCES and ENOENT are told apart). */
int sampler_start(struct sampler **result, const struct sampler_options *options, pid_t child,
		  struct run *run, struct error *err);

/* Drains what is left and ends the threads. Call it once, after the child was reaped. */
void sampler_stop(struct sampler *sampler);
void sampler_free(struct sampler *sampler);

/* Adds the calls of probed routines to the run: threads, processes and shapes, of which it has none
 * yet. *collected gets the region of interest. Does nothing if no routine is probed. Call it after
 * sampler_stop(). */
void sampler_collect_calls(const struct sampler *sampler, const struct collect_roi *roi,
			   const struct cpu_activity *activity, struct run *run,
			   struct collected *collected);

/* Finds when each task had a CPU, over the whole recording. Samples in BLAS are recognized by the
 * objects that calls were forwarded to, and by libraries known by name. Call it after
 * sampler_stop(). */
void sampler_activity(const struct sampler *sampler, const struct collected *calls,
		      struct cpu_activity *activity);

/* Adds the samples in the region of interest of the calls (all samples if both its ends are 0) to
 * the run: to run->threads by pid and tid, to run->functions, and to the sample counts, so that
 * samples = attributed + samples_unknown + samples_outside_roi exactly. A thread that made no call
 * and has no row yet gets one, clipped to the region. Also adds processes, stacks, waits and
 * counters. Notes: no_python_frames, records_lost, wait_regions_lost,
 * wait_stacks_ended, process_not_intercepted. */
void sampler_collect(struct sampler *sampler, const struct collected *calls, struct run *run);

#endif
