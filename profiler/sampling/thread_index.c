/* thread_index.c: chains the rows of each thread number. */
/* SPDX-License-Identifier: MIT */
#include "sampling/thread_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int thread_index_update(struct thread_index *index, const struct run *run)
{
	while (index->count < run->nthreads) {
		uint64_t tid = (uint64_t)run->threads[index->count].tid;
		uint32_t *previous = array_add(&index->previous, &index->count, sizeof *previous);

		if (!previous)
			return -1;
		*previous = idmap_find(&index->last, tid);
		if (idmap_put(&index->last, tid, (uint32_t)(index->count - 1)))
			return -1;
	}
	return 0;
}

void thread_index_free(struct thread_index *index)
{
	idmap_free(&index->last);
	free(index->previous);
	memset(index, 0, sizeof *index);
}
