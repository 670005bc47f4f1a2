/* wait_spans.h: adds to the timeline when its threads were off the CPU. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_WAIT_SPANS_H
#define RECORD_WAIT_SPANS_H

#include "sampling/timeline.h"
#include "store/run.h"

/* Of threads that have spans in run->spans, between the first and the last of these. Where the log
 * of waits is not exact any more, the run gets a note instead. roi_start_ns: CLOCK_MONOTONIC. 0, or
 * -1 when memory is out. */
int wait_spans_add(const struct timeline *timeline, int64_t roi_start_ns, struct run *run);

#endif
