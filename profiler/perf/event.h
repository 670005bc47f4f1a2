/* event.h: finds the event to sample with, by its libpfm4 name or as the best this machine has. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_EVENT_H
#define RECORD_EVENT_H

#include <linux/perf_event.h>

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

#endif
