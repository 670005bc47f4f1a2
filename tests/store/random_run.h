/* random_run.h: runs with random content in every field that the store keeps. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_RANDOM_RUN_H
#define TESTS_RANDOM_RUN_H

#include "store/run.h"

/* A run whose fields hold any bits (numbers), any bytes (text, often not UTF-8) and up to
 * `max_rows` rows in each part. The same seed gives the same run. Initialises *run; the caller
 * frees it with run_free(). */
void random_run(struct run *run, unsigned int seed, size_t max_rows);

#endif
