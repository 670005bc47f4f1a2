/* collect_samples.h: brings what the sampler saw into the run. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_COLLECT_SAMPLES_H
#define SAMPLING_COLLECT_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "calls/collect.h"
#include "sampling/sampler.h"
#include "store/run.h"

/* The calls of probed routines: adds threads, processes and shapes to the run, which has none, and
 * what they say of the region to *collected. Does nothing where no routine is probed. After
 * sampler_stop(). -1 when memory is out. */
int sampler_collect_calls(const struct sampler *sampler, const struct collect_roi *roi,
			  struct run *run, struct collected *collected);

/* When each task had a CPU, over all of the recording; samples in BLAS are told by its objects'
 * paths. After sampler_stop(). -1 when memory is out; free it in any case. */
int sampler_activity(const struct sampler *sampler, const char *const *blas_objects,
		     size_t nblas_objects, struct cpu_activity *activity);

/* Which samples count and where the BLAS is. */
struct sampler_view {
	int64_t roi_start_ns, roi_end_ns; /* CLOCK_MONOTONIC; both 0: all */
	int roi_is_region;		  /* 1: it comes and goes in between */
	const char *const *blas_objects; /* paths of the objects that the shim forwarded calls to */
	size_t nblas_objects;		 /* libraries known by name as BLAS count besides */
	const struct wait_regions *regions; /* that threads were in when they left the CPU */
	const struct run_span
		*watched; /* calls of a part of the time; used where the run has no timeline */
	size_t nwatched;
	const struct jit_code *codes; /* that processes made at run time, and named */
	size_t ncodes;
};

/* Adds the samples to the run: to run->threads by (pid, tid) - a thread that made no call and has
 * no row yet gets one, clipped to the ROI -, to run->functions, and to the run's sample counts, so
 * that samples = attributed + samples_unknown + samples_outside_roi exactly; and the processes,
 * stacks, waits and counters. Notes: samples_incomplete, no_python_frames, wait_regions_lost,
 * wait_stacks_ended, process_not_intercepted. */
int sampler_collect(struct sampler *sampler, const struct sampler_view *view, struct run *run,
		    struct error *err);

#endif
