/* merge.h: brings the records of all rings into one order of time. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_MERGE_H
#define SAMPLING_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "perf/ring.h"
#include "sampling/timeline.h"

/* Records wait here until no ring can still bring an earlier one. A zeroed merge is empty. */
struct merge {
	struct ring_buffer waiting; /* whole records, in order of arrival: those of this round */
	struct ring_buffer before;  /* those of the round before that were not fed */
	struct ring_buffer left;    /* the few of earlier rounds that have to wait on */
	struct merge_entry *order;
	size_t order_room;
};

/* Feeds all waiting records earlier than the horizon to the timeline, in order of time (those of
 * the same time in order of arrival). -1 when memory is out: the waiting records are lost. */
int merge_feed(struct merge *merge, struct timeline *timeline, int64_t horizon_ns);
void merge_free(struct merge *merge);

#endif
