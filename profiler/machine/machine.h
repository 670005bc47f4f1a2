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
/* The smallest CPU quota of the process's control groups, in CPUs; INFINITY: none. */
double machine_cpu_quota(const char *root);
/* For how long, since their making, these groups were stopped for they had used up their quota,
 * over all CPUs; -1: no group tells. */
double machine_stopped_ns(const char *root);
/* CPUs online that the caller's affinity mask has, at least 1. */
int machine_cpus_allowed(const char *root);
/* These, or the quota where that is less. */
double machine_cpus_available(const char *root);

/* Sets run->cpus_allowed and cpus_available, and the fact cpus_available. */
void machine_use_cpus(const char *root, int allowed, struct run *run);
/* Adds host, cpu, cpus_online, cpus_available, kernel, arch, perf_event_paranoid and the
 * environment variables that matter to run->facts; calls machine_use_cpus(). */
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
