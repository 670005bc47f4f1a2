/* event.h: encodes perf events by their libpfm4 names, chooses the one to sample with, and sets
 * them up to sample, to count and to take call stacks. */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_EVENT_H
#define PERF_EVENT_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "base/error.h"

/* How an event is encoded. Fails with *err on an unknown name, and offers those nearest to it.
 * *attr is set whole. */
int event_encode(const char *name, struct perf_event_attr *attr, struct error *err);

/* The hardware event that is sampled where it counts, and the clock that always does. */
#define EVENT_HARDWARE "cycles"
#define EVENT_CLOCK    "cpu-clock"

/* 1: counts the ns that a thread is on the CPU. */
int event_is_clock(const struct perf_event_attr *attr);

/* Makes a sampling event of it: rate_hz samples a second of CPU time, unless the name set a period
 * or frequency of its own, in the layout of TIMELINE_SAMPLE_TYPE, off until the next exec. */
void event_set_sampling(struct perf_event_attr *attr, int rate_hz);

/* Makes a counting event of it, as a member of a group or alone, off until the next exec; with
 * rate_hz over 0 it is sampled as well, in the layout of TIMELINE_COUNTED_TYPE. It is read as three
 * numbers: count, time enabled and time running. */
void event_set_counting(struct perf_event_attr *attr, int rate_hz, int member);

/* Sets *attr to sample process `pid` (0: the caller) with the event `asked`, or with NULL by
 * hardware cycles where they really count, else by the clock; without the kernel's part where the
 * user may not have it. Returns the event's name, or NULL with *err. */
const char *event_choose(struct perf_event_attr *attr, const char *asked, int rate_hz, pid_t pid,
			 struct error *err);

/* How the call stacks of samples are taken. */
enum call_graph {
	CALL_GRAPH_DWARF, /* the kernel copies the stack, and blasprof unwinds the copy */
	CALL_GRAPH_FP,	  /* the kernel follows the frame pointers */
	CALL_GRAPH_NONE,
	CALL_GRAPHS,
};
extern const char *const call_graph_names[CALL_GRAPHS]; /* "dwarf", "fp", "none" */

/* Makes the samples of the event carry what this way needs; stack_bytes: a multiple of 8. */
void event_set_call_graph(struct perf_event_attr *attr, enum call_graph call_graph,
			  int stack_bytes);

/* The event that tells where a thread was when it left the CPU: each time, or a part of the times
 * where that is often. It needs the right to see the kernel, and always copies a piece of the
 * stack: the C library, in which threads wait, has no frame pointers. */
void event_set_waits(struct perf_event_attr *attr);

#endif
