/* random_run.h: runs with random content in every field of the store. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_STORE_RANDOM_RUN_H
#define TESTS_STORE_RANDOM_RUN_H

#include "store/run.h"

/* Makes a run with random numbers, random text (often not UTF-8) and up to `max_rows` rows in each
 * part. The same seed gives the same run. The caller frees it with run_free(). */
void random_run(struct run *run, unsigned int seed, size_t max_rows);

#endif
