/* sampler.h: samples the program by perf_event, and says which code the samples fell in. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_SAMPLER_H
#define RECORD_SAMPLER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/call_graph.h"
#include "calls/collect.h"
#include "perf/event_list.h"
#include "store/run.h"
#include "base/error.h"

struct sampler;

struct sampler_options {
	int rate_hz;	   /* samples a second and thread */
	const char *event; /* libpfm4 name; NULL: cycles where they really count, else cpu-clock */
	enum call_graph call_graph;
	int stack_bytes; /* that each sample copies, by CALL_GRAPH_DWARF; 0: as many as usual */
	const struct event_list *counted; /* events to count besides; NULL: none */
	const char *probed; /* the file whose own BLAS routines are probed; NULL: none */
};

/* Opens the events on `child` (a process that waits before its exec; the events start there by
 * enable_on_exec and are inherited by its threads and children) and starts the thread that drains
 * the rings. What is missing but not fatal goes to run->notes (rings_shrunk, no_kernel_samples,
 * no_wait_stacks,
 * sample_rate_lowered; sampler_collect adds samples_incomplete); facts (sampler_event,
 * perf_event_paranoid) to run->facts; run->sample_rate_hz is set. Returns -1 with *err, its cause
 * and its remedy, when no sample can be had at all (EPERM, EACCES, ENOENT told apart). */
int sampler_start(struct sampler **sampler, const struct sampler_options *options, pid_t child,
		  struct run *run, struct error *err);

/* Call once, after the child was reaped: drains what is left and ends the thread. */
void sampler_stop(struct sampler *sampler);

/* The calls of probed routines: adds threads, processes and shapes to the run, which has
 * none, and what they say of the region to *collected. Does nothing where none is probed.
 * After sampler_stop(). -1 when memory is out. */
int sampler_collect_calls(const struct sampler *sampler, const struct collect_roi *roi,
			  struct run *run, struct collected *collected);

/* Which samples count and where the BLAS is. */
struct sampler_view {
	int64_t roi_start_ns, roi_end_ns; /* CLOCK_MONOTONIC; both 0: keep all */
	const char *const *blas_objects; /* paths of the objects that the shim forwarded calls to */
	size_t nblas_objects;		 /* libraries known by name as BLAS count besides */
	const struct wait_regions *regions; /* that threads were in when they left the CPU */
	const struct run_span *watched; /* calls of a part of the time; used where the run has no timeline */
	size_t nwatched;
};

/* Adds the samples to the run: to run->threads by (pid, tid) - a thread that made no call and has
 * no row yet gets one, clipped to the ROI -, to run->functions, and to the run's sample counts, so
 * that samples = attributed + samples_unknown + samples_outside_roi exactly; and the counters. */
int sampler_collect(struct sampler *sampler, const struct sampler_view *view, struct run *run,
		    struct error *err);

void sampler_free(struct sampler *sampler);

#endif
