/* trainer.h: threads that share a fixed number of steps, and the result. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_TRAINER_H
#define WORKLOADS_TRAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "shape.h"
#include "text.h"

/* The other processes that train the same model. Every process calls these functions in the same
 * order, from one thread at a time. A failure ends all processes. All get the same result, in
 * place. */
struct peers {
	int rank, ranks; /* number of this process, from 0, and number of processes */
	void (*sum)(float *values, size_t count);
	void (*sum_results)(double *values, int count);
	void (*take_largest)(double *value);
};

/* Thread s mod threads does step s, so that the first threads do one step more if the steps do not
 * divide evenly. Independent: each thread trains its own model. Together: there is one model. In
 * each round every thread computes the gradient of its step; then, between two barriers, each
 * thread sums one range of all threads' gradients in order of threads and updates that range of the
 * model, by the mean of the round's steps. The result does not depend on timing. With peers each
 * process has a replica of the one model, and the sums of all processes are added before the
 * update; thread t of process r is thread r * threads + t of all. */
struct trainer {
	struct shape shape;
	const struct text *text;
	uint64_t seed;
	long steps;
	int threads;
	bool trains;
	bool together;		   /* all-reduce */
	const struct peers *peers; /* NULL if there are none; only if `together' */
	int64_t *stamps_ns;	   /* receives the end of each step, CLOCK_MONOTONIC; may be NULL */
};

struct trainer_result {
	double seconds;	    /* from the start of the first thread's loop to the end of the last */
	double loss_before; /* mean of the first tenth of each thread's steps, nats per character */
	double loss_after;  /* mean of the last tenth */
	double loss;	    /* mean of all steps */
};

/* Bytes of memory that trainer_run() allocates. */
size_t trainer_bytes(const struct trainer *trainer);

/* Runs all steps; *result is that of all processes. Returns -1 with *failure (EXIT_FAILED) if
 * memory or threads cannot be allocated. */
int trainer_run(const struct trainer *trainer, struct trainer_result *result,
		struct failure *failure);

#endif
