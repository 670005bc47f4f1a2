/* store.h: the SQLite file in which runs accumulate; the only code that speaks SQL. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "store/run.h"
#include "base/error.h"

struct store;

/* Opens a store. With STORE_CREATE it is made when it does not exist. On failure returns -1 with
 * *err set and *store NULL: no such file, not readable or writable, not a SQLite file, a SQLite
 * file that is not a blasprof store, a store of another schema version, an empty file, and with
 * STORE_CREATE a file or directory that cannot be written. Never changes a file that it refuses. */
enum store_mode { STORE_READ, STORE_CREATE };
int store_open(struct store **store, const char *path, enum store_mode mode, struct error *err);
void store_close(struct store *store);

/* Adds the run in one transaction and sets run->id: 0. 1: it was there already, for a run has the
 * fact `session', the directory that it was recorded in, and that and its start are those of one in
 * the store. -1 with *err: the store is as it was. */
int store_save_run(struct store *store, struct run *run, struct error *err);
/* Loads one run, whole but for its pairs, into *run (initialised here; free with run_free). */
int store_load_run(struct store *store, int64_t id, struct run *run, struct error *err);

/* The same with only some of the run's arrays: STORE_PART(RUN_PART_THREADS) | ...; the others stay
 * empty. */
#define STORE_PART(part) (1u << (part))
#define STORE_ALL_PARTS	 (STORE_PART(RUN_PART_COUNT) - 1)
/* A timeline is large: what does not draw it leaves it where it is. */
#define STORE_FEW_PARTS	 (STORE_ALL_PARTS & ~STORE_PART(RUN_PART_SPANS))
int store_load_parts(struct store *store, int64_t id, unsigned int parts, struct run *run,
		     struct error *err);
/* Loads the pairs of a run that was loaded; there may be none. 0, or -1 with *err. */
int store_load_pairs(struct store *store, struct run *run, struct error *err);
/* Loads the timeline of a run that was loaded without; there may be none. 0, or -1 with *err. */
int store_load_timeline(struct store *store, struct run *run, struct error *err);
/* All runs of an experiment in order of id, with the parts asked for, in a fresh array; NULL for
 * every run there is. Free with store_free_runs. On failure the array is empty. */
int store_load_experiment(struct store *store, const char *experiment, unsigned int parts,
			  struct run **runs, size_t *count, struct error *err);
void store_free_runs(struct run **runs, size_t *count);

/* One line of `blasprof list`. Strings are owned by the list. */
struct store_entry {
	int64_t id;
	char *experiment, *command;
	char started[32];
	char what_if[64];
	int threads_requested;
	int threads; /* as requested, else that called BLAS at once; 0: none did */
	int exit_status;
	int64_t elapsed_ns, roi_ns;
	uint64_t calls;
};
struct store_list {
	struct store_entry *entries;
	size_t count;
};
/* All runs in order of id, or those of one experiment. Free with store_list_free. */
int store_list_runs(struct store *store, const char *experiment, struct store_list *list,
		    struct error *err);
void store_list_free(struct store_list *list);
/* The experiments, that with the newest run last. Free with store_experiments_free. */
struct store_experiment {
	char *name;
	size_t runs;
	int64_t newest_id;
};
struct store_experiments {
	struct store_experiment *rows;
	size_t count;
};
int store_list_experiments(struct store *store, struct store_experiments *list, struct error *err);
void store_experiments_free(struct store_experiments *list);
/* The newest run's experiment, a fresh string (free it); -1 with *err when the store is empty. */
int store_newest_experiment(struct store *store, char **experiment, struct error *err);

#endif
