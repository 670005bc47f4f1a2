/* sampler.h: samples the program by perf_event, and replays what the kernel records. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_SAMPLER_H
#define SAMPLING_SAMPLER_H

#include <linux/perf_event.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "calls/records.h"
#include "perf/event.h"
#include "perf/event_list.h"
#include "perf/ring.h"
#include "perf/uprobe.h"
#include "sampling/counters.h"
#include "sampling/timeline.h"
#include "store/run.h"

struct sampler_options {
	int rate_hz;	   /* samples a second and thread */
	const char *event; /* libpfm4 name; NULL: cycles where they really count, else cpu-clock */
	enum call_graph call_graph;
	int stack_bytes; /* that each sample copies, by CALL_GRAPH_DWARF; 0: the default */
	const struct event_list *counted; /* events to count besides; NULL: none */
	const char *probed; /* the file whose own BLAS routines are probed; NULL: none */
};

/* collect_samples.h and collect_probes.h read it when sampling has ended. */
struct sampler {
	struct ring *rings; /* one for each CPU online */
	size_t nrings;
	struct perf_event_attr attr;
	int *wait_fds; /* the events that tell where threads wait, one for each ring, or none */
	size_t nwait_fds;
	int waits_ended; /* 1: these were closed, because threads were started too fast */
	struct wait_pace {
		int64_t since_ns; /* they are on, or off */
		int64_t until_ns; /* they are off; 0: they are on */
		int64_t worth_ns; /* what came since then should have taken that long */
		int some;	  /* they were off at times */
	} pace;
	int *probe_fds; /* the events of the routines that are probed, or none */
	size_t nprobe_fds;
	struct blas_symbol *probed; /* these routines */
	size_t nprobed;
	struct probe_cost probe_cost;
	int stop_fd; /* eventfd that ends the drain thread; -1 before there is one */
	pthread_t drainer, feeder;
	int running; /* the threads were started and not yet joined */
	/* What the one hands to the other, which holds the lock for no longer than a copy. */
	pthread_mutex_t lock;
	pthread_cond_t handed;
	struct ring_buffer drained;
	int64_t horizon_ns; /* no record before this will come after those drained */
	int is_new;	    /* a task started or an object was mapped lately */
	int has_python;	    /* its processes are to be found soon */
	int too_fast;	    /* threads are started too fast for the events of waits */
	int drain_failed;   /* memory was out */
	int stopping;
	int64_t start_ns, start_realtime_ns;
	struct merge merge;
	struct timeline timeline;
	struct counters *counters; /* NULL: none */
	uint64_t pid_space;	   /* inode of blasprof's own PID namespace */
	struct outer_task *inner;  /* the program's tasks in others */
	size_t ninner;
	size_t nnumbered; /* tasks that were looked at */
};

/* Opens the events on `child` (a process that waits before its exec; the events start there by
 * enable_on_exec and are inherited by its threads and children) and starts the thread that drains
 * the rings. What is missing but not fatal goes to run->notes (rings_shrunk, no_kernel_samples,
 * no_wait_stacks, no_uprobes, sample_rate_lowered); facts (sampler_event, perf_event_paranoid) to
 * run->facts; run->sample_rate_hz is set. Returns -1 with *err, its cause and its remedy, when no
 * sample can be had at all (EPERM, EACCES, ENOENT told apart). */
int sampler_start(struct sampler **sampler, const struct sampler_options *options, pid_t child,
		  struct run *run, struct error *err);

/* Call once, after the child was reaped: drains what is left and ends the thread. */
void sampler_stop(struct sampler *sampler);
void sampler_free(struct sampler *sampler);

#endif
