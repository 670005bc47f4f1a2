/* measure.h: measures the machine's ceilings, peak flops by vector width and bandwidth by cache
 * level, and keeps them. */
/* SPDX-License-Identifier: MIT */
#ifndef PROBE_MEASURE_H
#define PROBE_MEASURE_H

#include <limits.h>
#include <stddef.h>

#include "base/error.h"
#include "model/ceilings.h"
#include "model/stats.h"
#include "store/run.h"

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

/* Multiply-adds in registers, with enough independent chains that no sum waits for the one before.
 * One row for each vector width and precision. */
struct flops_kernel {
	const char *name; /* "512-bit FMA" */
	enum precision precision;
	int (*is_supported)(void); /* by this CPU */
	double (*run)(void);	   /* some microseconds of work; returns its flops */
};
extern const struct flops_kernel flops_kernels[];
extern const size_t flops_kernels_count;

/* Passes over memory, in the widest vectors that the compiler's target has. */
struct bandwidth_kernel {
	const char *name; /* "read", "copy", "triad" */
	int arrays;	  /* how many it goes over at once */
	/* arrays of `count` doubles each, at multiples of 64 bytes, one after the other; count is a
	 * multiple of BANDWIDTH_STEP. Returns the bytes read plus written. */
	double (*run)(double *memory, size_t count);
};
#define BANDWIDTH_STEP 64
extern const struct bandwidth_kernel bandwidth_kernels[];
extern const size_t bandwidth_kernels_count;

/* 1 when the loops were compiled with optimisation: without it they measure the compiler. */
int kernels_are_optimised(void);

/* Which machine it is: a file of its own for each, in $XDG_CACHE_HOME/blasprof or
 * ~/.cache/blasprof. */
struct cache_key {
	char cpu[128]; /* model */
	char arch[32];
	int cpus; /* available */
};
/* The key of the machine that the run is from, by its facts. */
struct cache_key cache_key_of_run(const struct run *run);

enum cache_state { CACHE_FOUND, CACHE_NONE, CACHE_DAMAGED };
struct cached {
	struct ceilings ceilings;
	char measured[32]; /* UTC, "2026-11-21T08:43:19Z" */
};
/* The file's path; -1 with *err where there is no home for it. */
int cache_path(const struct cache_key *key, char path[PATH_MAX], struct error *err);
/* What was kept for the machine. A file that cannot be read as one, or is another machine's, is
 * damaged. */
enum cache_state cache_load(const struct cache_key *key, struct cached *cached);
/* Keeps it, with the time of now. 0, or -1 with *err. */
int cache_save(const struct cache_key *key, const struct ceilings *ceilings, struct error *err);

/* Adds what is kept for the run's machine to its facts, as `ceilings` and `ceilings_measured`,
 * where they are not there yet. Measures nothing. */
void cache_add_facts(struct run *run);

#endif
