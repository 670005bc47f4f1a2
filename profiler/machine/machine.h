/* machine.h: facts about this machine, what this user can measure on it, and what else used its
 * CPUs during a run. */
/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

/* The counters of one moment. All files are read below `root`, as in machine.h. */
struct load_cpu {
	int number;
	int64_t busy_ns, steal_ns;
};
struct load_process {
	int64_t pid, parent, start; /* start: in the kernel's ticks, to tell numbers used again */
	char name[16];
	int64_t own_ns, whole_ns; /* its CPU time, and that with its ended children's */
};
struct load {
	int64_t now_ns;	       /* CLOCK_MONOTONIC */
	struct load_cpu *cpus; /* none where /proc/stat does not tell */
	size_t ncpus;
	struct load_process *processes; /* by pid; those that this user may see */
	size_t nprocesses;
	double stopped_ns; /* machine_stopped_ns() */
};

/* Free *load with load_free(). */
void load_read(const char *root, struct load *load);
void load_free(struct load *load);

/* What is the program's own. */
struct load_program {
	pid_t pid;	      /* its first process, and ... */
	pid_t profiler;	      /* ... its parent, which waits for it */
	int64_t cpu_ns;	      /* that it and its descendants used */
	const uint64_t *cpus; /* a bit for each CPU that it may run on */
	int words;
};
/* From two readings below `root`: sets run->others_ns, steal_ns and quota_ns, and the fact
 * other_programs: "0.8 CPUs: stress-ng 0.70, cc1 0.10", where others used 0.05 or more. What the
 * names do not explain (processes that came and went, or that this user may not see) is "not
 * known". */
void load_note(const char *root, const struct load *before, const struct load *after,
	       const struct load_program *program, struct run *run);

#endif
