/* save.h: names a run's experiment and saves the run in the store. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_SAVE_H
#define CLI_SAVE_H

#include "report/categories.h"
#include "base/error.h"

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
