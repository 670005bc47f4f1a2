/* keep.h: puts a run into the store. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_KEEP_H
#define CLI_KEEP_H

#include "store/run.h"
#include "base/error.h"

/* Finds out, before a command runs, whether the store takes runs; it is made where there is none.
 * 0, or -1 with *err. */
int keep_check(const char *store, struct error *err);

enum keep_result { KEEP_DONE, KEEP_FOUND, KEEP_FAILED, KEEP_NOTHING };
/* Adds the run to the store. KEEP_FOUND when it was there already, as run->id; KEEP_FAILED with
 * *err when it cannot; KEEP_NOTHING with *err when the run has nothing to keep, for it made no BLAS
 * call. */
enum keep_result keep_run(const char *store, struct run *run, struct error *err);

#endif
