/* measure.h: measures and caches the machine's ceilings: peak flops by vector width and bandwidth
 * by cache level. */
/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_MEASURE_H
#define MACHINE_MEASURE_H

#include <limits.h>
#include <stddef.h>

#include "base/error.h"
#include "base/machine_files.h"
#include "model/roofline.h"
#include "model/stats.h"
#include "store/run.h"

#define PROBE_RESULTS_MAX 32
#define TEAM_REPEATS	  9

/* Result of one loop, in flops or bytes per second, with one thread and with all: medians of
 * TEAM_REPEATS, with intervals. */
struct probe_result {
	char name[32]; /* "single, 512 bits, FMA", "memory, triad" */
	struct interval one, all;
	double bytes_one, bytes_all; /* size of the data; 0: none */
};

struct probe {
	struct ceilings ceilings; /* the best medians */
	struct probe_result flops[PROBE_RESULTS_MAX], bytes[PROBE_RESULTS_MAX];
	size_t nflops, nbytes;
	int memory_is_short; /* 1: an eighth of the machine's memory is less than was wanted */
};

/* Sets bytes[] to the total size of the data caches of these CPUs, by level; a shared cache counts
 * once; 0: none. `root` as in machine_files.h. */
void probe_caches(const char *root, const struct cpu_list *cpus, double bytes[LEVEL_MEMORY]);
/* Returns the size of the data for measuring memory: caches of these sizes hold at most a quarter
 * of it. If all are 0, those that the CPU itself describes, or any that a CPU is likely to have. */
double probe_memory_bytes(const double caches[LEVEL_MEMORY]);

/* Measures with one thread, and with one thread on each of `cpus` CPUs. Takes some seconds, and
 * about four times as much memory as the caches have, but at most an eighth of the machine's.
 * Returns 0, or -1 with *err: no threads, no memory, or built without optimisation. */
int probe_measure(int cpus, struct probe *probe, struct error *err);

/* The ceilings of a machine are in a file in $XDG_CACHE_HOME/blasprof or ~/.cache/blasprof. The
 * facts of a run tell which machine it is: processor, architecture and CPUs available. */
enum cache_state { CACHE_FOUND, CACHE_NONE, CACHE_DAMAGED };
struct cached {
	struct ceilings ceilings;
	char measured[32]; /* UTC, "2026-11-21T08:43:19Z" */
};
/* Writes the path of the file. Returns 0, or -1 with *err if there is no cache directory. */
int cache_path(const struct run *run, char path[PATH_MAX], struct error *err);
/* Loads the machine's ceilings. A file that cannot be parsed or is of another machine is damaged.
 */
enum cache_state cache_load(const struct run *run, struct cached *cached);
/* Saves the ceilings with the current time. Returns 0, or -1 with *err. */
int cache_save(const struct run *run, const struct ceilings *ceilings, struct error *err);

/* Adds the saved ceilings of the run's machine to its facts, as `ceilings` and `ceilings_measured`,
 * unless it has them. Does not measure. */
void cache_add_facts(struct run *run);

#endif
