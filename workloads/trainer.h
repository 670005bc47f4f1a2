/* trainer.h: threads that share a fixed number of steps, and what they measured. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_TRAINER_H
#define WORKLOADS_TRAINER_H

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "peers.h"
#include "shape.h"
#include "text.h"

/* Step s is done by thread s mod threads, so that the first threads get one more where the steps do
 * not divide. Independent: each thread trains a model of its own. Together: one model; in each
 * round every thread works out the gradient of its step, then, between two barriers, each sums one
 * range of all threads' gradients in order of thread and updates the model there. The update is by
 * the mean of the round's steps. The result does not depend on timing. With peers each process has
 * a replica of the one model, and its threads' sum is summed with theirs before the update: process
 * r's thread t is thread r * threads + t of all. */
struct trainer {
	struct shape shape;
	const struct text *text;
	uint64_t seed;
	long steps;
	int threads;
	bool trains;
	bool together;		   /* all-reduce */
	const struct peers *peers; /* NULL: none; only where `together' */
	int64_t *stamps_ns;	   /* room for each step's end, CLOCK_MONOTONIC; NULL: not wanted */
};

struct trainer_result {
	double seconds;	    /* from the first thread's start to the last one's end; loop only */
	double loss_before; /* mean over all threads of the first tenth of their steps, nats a
			     * character
			     */
	double loss_after;  /* the same of the last tenth */
	double loss;	    /* of all steps */
};

/* Bytes of memory that trainer_run will take. */
size_t trainer_bytes(const struct trainer *trainer);

/* Runs all steps; *result is that of all processes. -1 with *failure (EXIT_FAILED) when memory or
 * threads are not to be had. */
int trainer_run(const struct trainer *trainer, struct trainer_result *result,
		struct failure *failure);

#endif
