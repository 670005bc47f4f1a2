/* ranks.h: which rank of an MPI job this process was started as. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_RANKS_H
#define RECORD_RANKS_H

#include <stddef.h>

struct rank {
	int number, size;     /* size 0: not told */
	char job[128];	      /* the same in all ranks of the job, where the launcher says */
	const char *launcher; /* "Open MPI" */
};

/* Reads the variables that MPI launchers set. 1 when this is one of several ranks, else 0. */
int rank_find(struct rank *rank);

/* The names of these variables: each once, from index 0 on; NULL after the last. */
const char *rank_variable(size_t index);

#endif
