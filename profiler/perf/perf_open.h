/* perf_open.h: opens perf events, and explains in plain words why one cannot be opened. */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_PERF_OPEN_H
#define PERF_PERF_OPEN_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "base/error.h"

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
