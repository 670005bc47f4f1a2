/* store.h: the SQLite file in which runs accumulate; the only code that speaks SQL. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "store/run.h"
#include "base/error.h"

struct store;

/* Opens a store; STORE_CREATE opens it for writing and creates it if it does not exist. Returns 0,
 * or -1 with *err set and *store NULL if the file does not exist, is empty, cannot be read, is not
 * a SQLite file or not a blasprof store or one of another schema version, or, for STORE_CREATE, if
 * the file or its directory cannot be written. Never changes a file that it refuses. */
enum store_mode { STORE_READ, STORE_CREATE };
int store_open(struct store **store, const char *path, enum store_mode mode, struct error *err);
void store_close(struct store *store);
/* A pointer to a store, or NULL, that is closed at the end of its block. */
#define OWN_STORE __attribute__((cleanup(own_store_close))) struct store
static inline void own_store_close(struct store **store)
{
	store_close(*store);
}
const char *store_path(const struct store *store);

/* Adds the run in one transaction and sets run->id. Returns 0; or 1 if the store already has a run
 * with the same start and the same fact `session` (the directory that the run was recorded in); or
 * -1 with *err, and the store is unchanged. */
int store_save_run(struct store *store, struct run *run, struct error *err);
/* Loads the given arrays of a run, STORE_PART(RUN_PART_THREADS) | ..., into *run, which need not be
 * initialised; the others are empty, and so are its pairs. Free it with run_free(). */
#define STORE_PART(part) (1u << (part))
#define STORE_ALL_PARTS	 (STORE_PART(RUN_PART_COUNT) - 1)
/* All but the timeline, which is large. */
#define STORE_FEW_PARTS	 (STORE_ALL_PARTS & ~STORE_PART(RUN_PART_SPANS))
/* The parts that are most of a run's rows, and that few reports need. */
#define STORE_STACKS	 (STORE_PART(RUN_PART_FRAMES) | STORE_PART(RUN_PART_STACKS))
int store_load_parts(struct store *store, int64_t id, unsigned int parts, struct run *run,
		     struct error *err);
/* Loads the pairs of a loaded run; there may be none. Returns 0, or -1 with *err. */
int store_load_pairs(struct store *store, struct run *run, struct error *err);
/* Loads further parts of runs that were loaded without them. Returns 0, or -1 with *err. */
int store_load_more(struct store *store, unsigned int parts, struct run *runs, size_t count,
		    struct error *err);
/* Returns 1 if a frame of the experiment's 100 newest runs, which stand for all, is a line of a
 * script, like "forward (train.py:31)". */
int store_has_scripts(struct store *store, const char *experiment);
/* Loads these parts of all runs of an experiment, or of all runs if it is NULL, in order of id,
 * into a fresh array; free it with store_free_runs(). On failure the array is empty. */
int store_load_experiment(struct store *store, const char *experiment, unsigned int parts,
			  struct run **runs, size_t *count, struct error *err);
void store_free_runs(struct run **runs, size_t *count);

/* One line of `blasprof list`: a run, or the newest run of an experiment. */
struct store_entry {
	int64_t id;
	const char *experiment, *command;
	char started[32];
	char what_if[64];
	int threads; /* as requested, else the most that took part at once; 0: none made calls */
	int exit_status;
	int64_t elapsed_ns;
	uint64_t calls;
	size_t runs; /* of the experiment; 1 for a run */
};
struct store_list {
	struct store_entry *entries;
	size_t count;
};
/* Lists the runs of an experiment, or all runs if it is NULL, in order of id. Free the list with
 * store_list_free(). */
int store_list_runs(struct store *store, const char *experiment, struct store_list *list,
		    struct error *err);
/* Lists the experiments, in order of their newest runs. */
int store_list_experiments(struct store *store, struct store_list *list, struct error *err);
void store_list_free(struct store_list *list);
/* One that is freed at the end of its block. */
#define OWN_LIST __attribute__((cleanup(store_list_free))) struct store_list
/* Returns the experiment of the newest run, or NULL with *err if the store is empty. */
const char *store_newest_experiment(struct store *store, struct error *err);

#endif
