/* machine.h: facts about this machine and what this user can measure on it. */
/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include <stddef.h>

#include "store/run.h"

/* All files are read below `root` ("" for the real machine), so that a recorded tree of /proc and
 * /sys can stand for another machine in a test. */

/* How many CPUs are online, at least 1. */
int machine_count_online(const char *root);
/* The smallest CPU quota of the process's control groups, rounded up; INT_MAX: none. */
int machine_cpu_quota(const char *root);
/* min(affinity mask of the caller, cgroup v2 or v1 cpu quota rounded up, CPUs online), at least 1.
 */
int machine_cpus_available(const char *root);

/* What the hypervisor has taken from this machine's CPUs since it started, in ns over all CPUs; -1
 * where /proc/stat does not tell. */
int64_t machine_steal_ns(const char *root);

/* Adds host, cpu, cpus_online, cpus_available, kernel, arch, perf_event_paranoid and the
 * environment variables that matter to run->facts; sets run->cpus_available. */
void machine_describe(const char *root, struct run *run);

/* Shell patterns of these variables, from index 0 on; NULL after the last. */
const char *machine_variable(size_t index);

/* One line of `blasprof doctor`. */
enum check_state { CHECK_OK, CHECK_LIMITED, CHECK_MISSING };
struct machine_check {
	const char *name; /* "sampling", "hardware counters", "off-CPU time", "clock", ... */
	enum check_state state;
	char finding[256];
	char remedy[256]; /* empty where none is needed */
};
/* Tries everything that blasprof may want to measure; perf events are opened on this machine,
 * whatever the root. Writes at most `max` checks, returns how many. */
size_t machine_check_all(const char *root, struct machine_check *checks, size_t max);

#endif
