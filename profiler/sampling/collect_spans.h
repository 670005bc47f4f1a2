/* collect_spans.h: what samples and waits say of the calls of which it is known when they ran. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_COLLECT_SPANS_H
#define SAMPLING_COLLECT_SPANS_H

#include "sampling/timeline.h"
#include "store/run.h"

/* Adds to the spans of threads in run->spans when these threads were off the CPU, between the first
 * and the last of their spans. Where the log is not exact any more, the run gets a note instead.
 * roi_start_ns: CLOCK_MONOTONIC. */
void collect_wait_spans(const struct timeline *timeline, int64_t roi_start_ns, struct run *run);

struct call_samples {
	const struct timeline *timeline;
	const enum run_code *code; /* of each address */
	const struct naming *naming;
	const char *calls_blas;		/* of each task */
	const struct run_span *watched; /* calls, where the run has no timeline */
	size_t nwatched;
	int64_t roi_start_ns; /* CLOCK_MONOTONIC */
};

/* Counts the samples in BLAS code into the shapes of the calls that were in progress: a caller's by
 * its own call, another thread's by the only call of its process at that moment; where there are
 * several, it is not known whose it was. The names of their kernels tell units and types. Does
 * nothing without spans of calls, or where the log is not exact. */
void collect_call_samples(const struct call_samples *samples, struct run *run);

#endif
