/* cache.h: keeps the measured ceilings, so that runs and reports need not measure them again. */
/* SPDX-License-Identifier: MIT */
#ifndef PROBE_CACHE_H
#define PROBE_CACHE_H

#include <limits.h>

#include "model/ceilings.h"
#include "store/run.h"
#include "base/error.h"

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
