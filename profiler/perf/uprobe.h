/* uprobe.h: breakpoints of the kernel (uprobes) on a program's own BLAS routines. */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_UPROBE_H
#define PERF_UPROBE_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* What a call costs when its entry and its return are probed. */
struct probe_cost {
	double inside_ns;  /* of it lie between entry and return ... */
	double outside_ns; /* ... and before and after these */
};

/* Makes *attr the event of an offset in a file, at entry or at return. `path` must live as long as
 * the attr. -1 with *err where this machine has no uprobes. */
int probe_set(struct perf_event_attr *attr, const char *path, uint64_t offset, int at_return,
	      struct error *err);
/* Opens it for a thread of the caller's (0, -1) or for a whole CPU (-1, cpu). A descriptor, or -1
 * with *err. */
int probe_open(const struct perf_event_attr *attr, pid_t pid, int cpu, struct error *err);

/* Measures on an empty function of this program. -1 with *err where that cannot be. */
int probe_cost_measure(struct probe_cost *cost, struct error *err);

#endif
