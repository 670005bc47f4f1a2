/* machine.h: facts about the machine, what this user can measure on it, and the load that other
 * programs put on it during a run. */
/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "store/run.h"

/* All files are read below `root` ("" for the real machine), so that a recorded tree of /proc and
 * /sys can stand for another machine in a test. */

/* Returns the number of online CPUs, at least 1. */
int machine_count_online(const char *root);
/* Returns the smallest CPU quota of a process's control groups (pid 0: the caller's), in CPUs;
 * INFINITY if none. */
double machine_cpu_quota(const char *root, pid_t pid);
/* Returns how long these groups were throttled by their quota since they were created, over all
 * CPUs, or -1 if not known. */
double machine_throttled_ns(const char *root, pid_t pid);
/* Returns 1 if one of these groups is frozen (cgroup.freeze, docker pause). */
int machine_is_frozen(const char *root, pid_t pid);
/* Returns how many cores CPUs like "0-3,6" belong to: those of one core share its units. */
int machine_count_cores(const char *root, const char *cpus);
/* Returns the number of online CPUs in the caller's affinity mask, at least 1. */
int machine_cpus_allowed(const char *root);
/* Returns that number, or the quota if it is less. */
double machine_cpus_available(const char *root);

/* Sets run->cpus_allowed and cpus_available, and the fact cpus_available. */
void machine_use_cpus(int allowed, double quota, struct run *run);
/* Adds host, cpu, cpus_online, cpus_available, kernel, arch, perf_event_paranoid and the
 * environment variables that matter to run->facts; calls machine_use_cpus(). */
void machine_describe(const char *root, struct run *run);

/* Returns the shell pattern of these variables with this index; NULL after the last. */
const char *machine_variable(size_t index);

/* One line of `blasprof doctor`. */
enum check_state { CHECK_OK, CHECK_LIMITED, CHECK_MISSING };
struct machine_check {
	const char *name; /* "sampling", "hardware counters", "off-CPU time", "clock", ... */
	enum check_state state;
	char finding[256];
	char remedy[256]; /* empty if none is needed */
};
/* Fills in the check; an empty remedy means that none is needed. */
void check_set(struct machine_check *check, enum check_state state, const char *remedy,
	       const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Checks everything that blasprof may measure. Opens perf events on this machine whatever the root.
 * Writes at most `max` checks, returns their number. */
size_t machine_check_all(const char *root, struct machine_check *checks, size_t max);

/* A reading of the kernel's counters. */
struct load_cpu {
	int number;
	int64_t busy_ns, steal_ns;
};
struct load_process {
	int64_t pid, parent, start; /* start: in clock ticks; differs if the pid was reused */
	char name[16];
	int64_t own_ns, whole_ns; /* CPU time without and with that of its ended children */
};
struct load {
	int64_t now_ns;	       /* CLOCK_MONOTONIC */
	struct load_cpu *cpus; /* empty if /proc/stat has none */
	size_t ncpus;
	struct load_process *processes; /* those that this user may see, by pid */
	size_t nprocesses;
	double throttled_ns; /* machine_throttled_ns() */
};

/* Free *load with load_free(). */
void load_read(const char *root, struct load *load);
void load_free(struct load *load);

/* The profiled program. */
struct load_program {
	pid_t pid;	      /* its first process */
	pid_t profiler;	      /* parent of the first process */
	int64_t cpu_ns;	      /* CPU time of all its processes */
	const uint64_t *cpus; /* a bit for each CPU that it may run on */
	int words;
};
/* Compares two readings: sets run->others_ns, steal_ns and quota_ns, and, if other programs used
 * 0.05 CPUs or more, the fact other_programs: "0.8 CPUs: stress-ng 0.70, cc1 0.10". Load that no
 * name explains is "not known": of processes that came and went, or that this user may not see.
 * Changes the processes of `after`. */
void load_note(const char *root, const struct load *before, struct load *after,
	       const struct load_program *program, struct run *run);

#endif
