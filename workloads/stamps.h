/* stamps.h: the moment at which each step was done, for those who look at a run piece by piece. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_STAMPS_H
#define WORKLOADS_STAMPS_H

#include <stdint.h>
#include <stdio.h>

#include "failure.h"

struct stamps {
	FILE *file;
	const char *path;
	int64_t *at_ns; /* of each step, CLOCK_MONOTONIC; its owner is the struct */
	long steps;
};

/* Opens the file and makes room, so that what cannot be written is known before the first step. -1
 * with *failure and nothing held. */
int stamps_open(struct stamps *stamps, const char *path, long steps, struct failure *failure);

/* Writes a line a step in order of time, nanoseconds. -1 with *failure (EXIT_FAILED). */
int stamps_write(struct stamps *stamps, struct failure *failure);

void stamps_close(struct stamps *stamps);

#endif
