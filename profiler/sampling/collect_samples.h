/* collect_samples.h: adds what the sampler saw to the run. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_COLLECT_SAMPLES_H
#define SAMPLING_COLLECT_SAMPLES_H

#include "calls/collect.h"
#include "sampling/sampler.h"
#include "store/run.h"

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
 * counters. Notes: samples_incomplete, no_python_frames, records_lost, wait_regions_lost,
 * wait_stacks_ended, process_not_intercepted. */
void sampler_collect(struct sampler *sampler, const struct collected *calls, struct run *run);

#endif
