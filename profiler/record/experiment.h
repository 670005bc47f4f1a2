/* experiment.h: which runs belong together: the command with its thread count replaced by {}. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_EXPERIMENT_H
#define RECORD_EXPERIMENT_H

#include "store/run.h"

/* The command line as one string, each argument quoted where a shell would need it. Fresh. */
char *command_join(char *const argv[]);

/* The same with the argument that is `threads` replaced by {}. Where several are, in this order:
 * one after an option about threads ("--threads 4", "-t 4", or "--threads=4"), one that follows no
 * option ("./train 4"), the first. Where none is (the count came from elsewhere), the command
 * itself. Fresh. */
char *experiment_name(char *const argv[], int threads);

/* How many threads the run was seen to have, by their roles: participants alive at once, and where
 * that is one, the BLAS workers besides. 0 where nothing was seen. */
int experiment_threads(const struct run *run);

#endif
