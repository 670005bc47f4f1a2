/* perf_open.h: opens perf events, and says in plain words why one cannot be opened. */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_PERF_OPEN_H
#define PERF_PERF_OPEN_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "base/error.h"

/* A descriptor that is closed on exec, or minus the errno. */
int perf_open(const struct perf_event_attr *attr, pid_t pid, int cpu);

/* The same as a member of the group that `group` leads; -1: of none. */
int perf_open_in_group(const struct perf_event_attr *attr, pid_t pid, int cpu, int group);

/* Tells apart what the errno of perf_open means, with its remedy. Returns -1. */
int perf_open_error(struct error *err, int errnum, const char *event);

/* The meaning of the errno alone: "the hardware ...". */
const char *perf_open_cause(int errnum);

/* Like perf_open, but goes on without the kernel's part where the user may not have it: then
 * attr->exclude_kernel becomes 1. */
int perf_open_allowed(struct perf_event_attr *attr, pid_t pid, int cpu);

/* 1 when an event of this kind, opened on the caller, advances over a loop. Some virtual machines
 * open hardware events that stay at zero. */
int perf_really_counts(const struct perf_event_attr *attr);

/* The first event of all switches the kernel's event machinery on, and who opens it sleeps for 5 to
 * 30 ms meanwhile; some time after the last one it is off again. While this descriptor is open,
 * nobody waits. Minus the errno where there are no events. */
int perf_keep_on(void);

#endif
