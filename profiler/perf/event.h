/* event.h: encodes perf events by libpfm4 names, sets them up, and opens them. */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_EVENT_H
#define PERF_EVENT_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "base/error.h"

/* Encodes the event of this name in *attr, which is set completely. Returns -1 with *err if the
 * name is unknown; the remedy has the names nearest to it. */
int event_encode(const char *name, struct perf_event_attr *attr, struct error *err);

/* The hardware event that is sampled if it counts, and the clock that always does. */
#define EVENT_HARDWARE "cycles"
#define EVENT_CLOCK    "cpu-clock"

/* Returns 1 for an event that counts the ns that a thread is on a CPU. */
int event_is_clock(const struct perf_event_attr *attr);

/* Makes it a sampling event, off until the next exec: rate_hz samples a second of CPU time, unless
 * the name sets a period or frequency. The samples have the layout of TIMELINE_SAMPLE_TYPE. */
void event_set_sampling(struct perf_event_attr *attr, int rate_hz);

/* Makes it a counting event, off until the next exec, or a member of a group. If rate_hz is over 0,
 * it is also sampled, in the layout of TIMELINE_COUNTED_TYPE. It is read as three numbers: count,
 * time enabled and time running. */
void event_set_counting(struct perf_event_attr *attr, int rate_hz, int member);

/* Sets *attr to sample process `pid` (0 for the caller) with the event `asked`; if that is NULL,
 * with cycles if they really count, otherwise with the clock. Excludes the kernel if the user may
 * not sample it. Returns the name of the event, or NULL with *err. */
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

/* Adds to the samples what this kind of call stack needs. stack_bytes is a multiple of 8. */
void event_set_call_graph(struct perf_event_attr *attr, enum call_graph call_graph,
			  int stack_bytes);

/* Sets *attr to the event that tells where threads leave the CPU, each time or, if that is often,
 * some of the times. It requires the right to see the kernel. It always copies a piece of the
 * stack, because the C library, in which threads wait, has no frame pointers. */
void event_set_waits(struct perf_event_attr *attr);

/* Returns a descriptor that is closed on exec, or minus the errno. */
int perf_open(const struct perf_event_attr *attr, pid_t pid, int cpu);

/* Opens a member of the group that `group` leads; -1 for no group. */
int perf_open_in_group(const struct perf_event_attr *attr, pid_t pid, int cpu, int group);

/* Sets *err to the meaning of the errno, with its remedy. Returns -1. */
int perf_open_error(struct error *err, int errnum, const char *event);

/* Returns the meaning of the errno alone: "the hardware ...". */
const char *perf_open_cause(int errnum);

/* Like perf_open(), but excludes the kernel, and sets attr->exclude_kernel, if the user may not see
 * it. */
int perf_open_allowed(struct perf_event_attr *attr, pid_t pid, int cpu);

/* Returns 1 if an event of this kind advances during a loop of the caller. Some virtual machines
 * open hardware events that stay at zero. */
int perf_really_counts(const struct perf_event_attr *attr);

/* The first event of all switches on the event code of the kernel, during which its opener sleeps
 * for 5 to 30 ms; some time after the last event is closed, that is off again. While the returned
 * descriptor is open, nobody has to wait. Returns minus the errno if there are no events. */
int perf_keep_on(void);

#endif
