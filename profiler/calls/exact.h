/* exact.h: events that each thread counts by itself, in BLAS calls and between them. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_EXACT_H
#define RECORD_EXACT_H

#include <stddef.h>

#include "perf/event_list.h"
#include "calls/records.h"
#include "store/run.h"

/* Events of the list that this user may read from the counters themselves, all at once. */
struct exact_events {
	char names[EXACT_EVENTS][EVENT_NAME_BYTES];
	struct exact_event events[EXACT_EVENTS];
	size_t count;
};

/* Tries them on the caller. None is no failure: samples then tell BLAS from other code. */
void exact_choose(const struct event_list *list, struct exact_events *exact);

/* Adds what the shim counted to run->counters and run->shape_counters, unless a reading was missed:
 * then a note (exact_missed). -1 when memory is out. */
int exact_collect(const struct exact_events *exact, struct records *records, struct run *run);

#endif
