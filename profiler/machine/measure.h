/* measure.h: measures the machine's ceilings: peak flops by vector width, and bandwidth by cache
 * level. */
/* SPDX-License-Identifier: MIT */
#ifndef PROBE_MEASURE_H
#define PROBE_MEASURE_H

#include "model/ceilings.h"
#include "model/stats.h"
#include "base/error.h"

#define PROBE_RESULTS_MAX 32
#define TEAM_REPEATS	  9

/* One loop, in flops or bytes a second: medians of TEAM_REPEATS, with intervals. */
struct probe_result {
	char name[32]; /* "single, 512 bits, FMA", "memory, triad" */
	struct interval one, all;
	double bytes_one,
		bytes_all; /* what it went over with one and with all threads; 0: nothing */
};

struct probe {
	struct ceilings ceilings; /* the best medians */
	struct probe_result flops[PROBE_RESULTS_MAX], bytes[PROBE_RESULTS_MAX];
	size_t nflops, nbytes;
};

/* The bytes of the data caches that the CPUs can use, by level: each cache once, however many of
 * them share it; 0: there is none. `root` as below. */
void probe_caches(const char *root, const int *cpus, size_t count, double bytes[LEVEL_MEMORY]);
/* Over how many bytes memory is measured, so that these caches hold a quarter of it at most. */
double probe_memory_bytes(const double caches[LEVEL_MEMORY]);

/* Measures with one thread and one on each of `cpus` CPUs. Takes some seconds and, for buffers that
 * no cache holds, about four times the caches' size of memory, an eighth of the machine's at most.
 * `root` is that of machine_files.h, for the caches' sizes. 0, or -1 with *err: no threads, no
 * memory, built without optimisation. */
int probe_measure(const char *root, int cpus, struct probe *probe, struct error *err);

#endif
