/* experiment.h: saves runs, loads the runs of an experiment from the store, and prints the report
 * on them. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_EXPERIMENT_H
#define CLI_EXPERIMENT_H

#include <stdio.h>

#include "base/error.h"
#include "report/categories.h"
#include "report/report.h"
#include "store/store.h"

struct experiment {
	struct run *runs; /* owned */
	size_t count;
	struct store *store; /* open if the runs lack their stacks, else NULL; owned */
	struct cell *cells;  /* of one suite; owned */
	size_t ncells;
};

/* The user's options for a report. */
struct report_choice {
	struct report_options options;
	const char *format, *table, *picture; /* names; NULL for the first of each */
	int suite;			      /* number of the suite of cells; 0 for the newest */
	const char *by, *columns, *sort;      /* as in struct view_choice; NULL if not given */
	const char *categories; /* file of patterns to try before the installed ones, or NULL */
};

/* Loads all runs of the experiment `key`, or of the newest run's experiment if key is NULL, from
 * the store at `path`. `parts` is as for store_load_parts(); STORE_FEW_PARTS adds the sequence of
 * calls that a report needs. Without STORE_STACKS, this is left to do for the report, unless it
 * needs all stacks to name places. Returns 0, or -1 with *err if there is no such store or
 * experiment. Free with experiment_free() in either case. */
int experiment_load(const char *path, const char *key, unsigned int parts,
		    struct experiment *experiment, struct error *err);
/* Adds the runs of the experiment in several stores to *experiment, which must have none, and
 * merges the ranks of MPI jobs. With key NULL, the first store that has runs decides. */
int experiment_load_all(const char *const paths[], size_t count, const char *key,
			unsigned int parts, struct experiment *experiment, struct error *err);
/* Loads the single run with this number. */
int experiment_load_run(const char *path, int64_t id, unsigned int parts,
			struct experiment *experiment, struct error *err);
/* Adds the cells of a suite. Suite 0 is the newest; then it is no error if there are no cells.
 * Returns -1 with *err if there is no such store or suite. */
int experiment_load_cells(const char *path, int64_t suite, struct experiment *experiment,
			  struct error *err);
/* If the chosen format draws timelines, loads the timeline of the newest run that has one from the
 * store that the runs came from. Returns 0, or -1 with *err, also if there are several stores. */
int experiment_load_timeline(const char *const paths[], size_t count,
			     const struct report_choice *choice, struct experiment *experiment,
			     struct error *err);
/* Returns 1 if the store has no runs. */
int experiment_store_is_empty(const char *path);
void experiment_free(struct experiment *experiment);
/* One that is freed at the end of its block. */
#define OWN_EXPERIMENT __attribute__((cleanup(experiment_free))) struct experiment

/* Sets *err: the store has no experiment of this name; the remedy names the nearest. Returns -1. */
int experiment_unknown(struct store *store, const char *key, struct error *err);

/* Checks the choice, in which the ending of the output file's name, which may be NULL, decides the
 * format if none is given, and loads the categories and the view into static memory. Returns 0, or
 * -1 with *err if a format, table, column or picture does not exist or the categories cannot be
 * read. */
int report_choice_check(struct report_choice *choice, const char *output, struct error *err);
/* The parts of the runs that the chosen report needs, for experiment_load(). `in_tables` is 1 if
 * the format writes all tables although it holds one. */
unsigned int report_choice_parts(const struct report_choice *choice, int in_tables);
/* Returns the format of a choice that was checked. */
const struct report_format *report_choice_format(const struct report_choice *choice);

/* Returns the store's path in the form of report_options.store: "" for the default store. */
const char *experiment_store(const char *path);

/* Builds the report on the runs and writes it to `out`. The choice must have been checked. Returns
 * 0, or -1 with *err. */
int experiment_print(const struct run *runs, size_t count, const struct report_choice *choice,
		     FILE *out, struct error *err);
/* Does the same for an experiment in a store. */
int experiment_report(const char *path, const char *key, const struct report_choice *choice,
		      FILE *out, struct error *err);

/* Sets the experiment of a run to `name`, of the string pool, and adds a mark if --what-if changed
 * the run, so that such runs are never mixed with others. */
void save_name(const char *name, struct run *run);

/* Checks before a command runs that the store can take runs; creates it if needed. Returns 0, or -1
 * with *err. */
int save_check(const char *store, struct error *err);

enum save_result {
	SAVE_DONE,
	SAVE_FOUND,   /* the run was in the store already, as run->id */
	SAVE_FAILED,  /* with *err: it cannot be stored */
	SAVE_NOTHING, /* with *err: no matrix work, and hardly any computing or hidden calls */
};
/* Adds the run to the store. The categories, which may be NULL, tell what is matrix work. */
enum save_result save_run(const char *store, const struct categories *categories, struct run *run,
			  struct error *err);

#endif
