/* collect_samples.h: brings what the sampler saw into the run. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_COLLECT_SAMPLES_H
#define SAMPLING_COLLECT_SAMPLES_H

#include "calls/collect.h"
#include "sampling/sampler.h"
#include "store/run.h"

/* The calls of probed routines: adds threads, processes and shapes to the run, which has none, and
 * what they say of the region to *collected. Does nothing where no routine is probed. After
 * sampler_stop(). */
void sampler_collect_calls(const struct sampler *sampler, const struct collect_roi *roi,
			   const struct cpu_activity *activity, struct run *run,
			   struct collected *collected);

/* When each task had a CPU, over all of the recording; samples in BLAS are told by the objects that
 * calls were forwarded to, and by libraries known by name. After sampler_stop(). */
void sampler_activity(const struct sampler *sampler, const struct collected *calls,
		      struct cpu_activity *activity);

/* Adds the samples in the ROI of the calls (both ends 0: all) to the run: to run->threads by (pid,
 * tid) - a thread that made no call and has no row yet gets one, clipped to the ROI -, to
 * run->functions, and to the run's sample counts, so that samples = attributed + samples_unknown +
 * samples_outside_roi exactly; and the processes, stacks, waits and counters. Notes:
 * samples_incomplete, no_python_frames, wait_regions_lost, wait_stacks_ended,
 * process_not_intercepted. */
void sampler_collect(struct sampler *sampler, const struct collected *calls, struct run *run);

#endif
