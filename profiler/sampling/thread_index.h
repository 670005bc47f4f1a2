/* thread_index.h: finds a run's threads by number, however many there are. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_THREAD_INDEX_H
#define RECORD_THREAD_INDEX_H

#include "base/idmap.h"
#include "store/run.h"

/* The rows of run->threads, in order, by tid. A zeroed index is empty. */
struct thread_index {
	struct idmap last;  /* tid to its newest row */
	uint32_t *previous; /* of each row: the row of the same tid before it; IDMAP_NONE: none */
	size_t count;	    /* rows that are in it */
};

/* Takes in the rows that are not in it yet. -1 when memory is out. */
int thread_index_update(struct thread_index *index, const struct run *run);
void thread_index_free(struct thread_index *index);

#endif
