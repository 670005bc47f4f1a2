/* peers.h: the other processes that train the same model, and how to sum with them. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_PEERS_H
#define WORKLOADS_PEERS_H

#include <stddef.h>

/* Every process calls the same of these in the same order, one thread at a time. They do not fail:
 * what they stand on ends all the processes then. All get the same result, in place. */
struct peers {
	int rank, ranks; /* this process's number, from 0, of so many */
	void (*sum)(float *values, size_t count);
	void (*sum_results)(double *values, int count);
	void (*take_largest)(double *value);
};

#endif
