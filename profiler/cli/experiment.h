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
	struct cell *cells; /* of one suite; owned */
	size_t ncells;
};

/* How a report is to be made. */
struct report_choice {
	struct report_options options;
	const char *format, *table, *picture; /* names; NULL: the first of each */
	int suite;			      /* whose cells; 0: the newest */
	const char *by, *columns, *sort;      /* as in struct view_choice; NULL: nothing said */
	const char *categories; /* a file of patterns that go before the installed ones, or NULL */
};

/* Loads all runs of the experiment `key` (NULL: the newest run's) from the store at `path`, with
 * these parts, as for store_load_parts(); STORE_FEW_PARTS: and the pairs that a report needs. 0, or
 * -1 with *err: no such store or experiment. Free with experiment_free() in every case. */
int experiment_load(const char *path, const char *key, unsigned int parts,
		    struct experiment *experiment, struct error *err);
/* Adds all its runs in several stores to *experiment, which has none, and puts the ranks of MPI
 * jobs together. The newest run is the first store's. */
int experiment_load_all(const char *const paths[], size_t count, const char *key,
			struct experiment *experiment, struct error *err);
/* The same for the run of that number alone. */
int experiment_load_run(const char *path, int64_t id, unsigned int parts,
			struct experiment *experiment, struct error *err);
/* Adds the cells of a suite to those runs, or to none; suite 0: the newest, of which there may be
 * no cells. -1 with *err: no such store or suite. */
int experiment_load_cells(const char *path, int64_t suite, struct experiment *experiment,
			  struct error *err);
/* For a format that draws it: loads the timeline of the newest run that has one, from the store
 * that the runs came from. 0, or -1 with *err: also where they came from several. */
int experiment_load_timeline(const char *const paths[], size_t count,
			     const struct report_choice *choice, struct experiment *experiment,
			     struct error *err);
/* 1 where the store holds no run. */
int experiment_is_missing(const char *path);
void experiment_free(struct experiment *experiment);

/* Says that the store has no experiment of that name, and which are nearest to it. Returns -1. */
int experiment_unknown(struct store *store, const char *key, struct error *err);

/* Checks the choice and reads the categories, which last as long as the program, as the view does.
 * 0, or -1 with *err when there is no such format, table, column or picture, or the categories
 * cannot be read. */
int report_choice_check(struct report_choice *choice, struct error *err);
/* The format of a choice that was checked. */
const struct report_format *report_choice_format(const struct report_choice *choice);

/* The store as report_options.store has it. */
const char *experiment_store(const char *path);

/* Builds the report, of a choice that was checked, on the runs and writes it to `out`. 0, or -1
 * with *err. */
int experiment_print(const struct run *runs, size_t count, const struct report_choice *choice,
		     FILE *out, struct error *err);
/* The same for an experiment in a store. */
int experiment_report(const char *path, const char *key, const struct report_choice *choice,
		      FILE *out, struct error *err);

/* Names the experiment of a run: `name` (taken over), and a mark of what was changed in it
 * (--what-if), so that such runs never mix with others. */
void save_name(char *name, struct run *run);

/* Finds out, before a command runs, whether the store takes runs; creates it if needed. 0, or -1
 * with *err. */
int save_check(const char *store, struct error *err);

enum save_result { SAVE_DONE, SAVE_FOUND, SAVE_FAILED, SAVE_NOTHING };
/* Adds the run to the store. SAVE_FOUND: it was there already, as run->id. SAVE_FAILED with *err:
 * it cannot be stored. SAVE_NOTHING with *err: it made no BLAS call, and no samples lie in what may
 * be matrix work by these categories, so there is nothing to store. */
enum save_result save_run(const char *store, const struct categories *categories, struct run *run,
			  struct error *err);

#endif
