/* load.h: what else used the CPUs during a run: other programs, the hypervisor, the quota. */
/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_LOAD_H
#define MACHINE_LOAD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "store/run.h"

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
