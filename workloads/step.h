/* step.h: one step of the network: forward, backward and update, each by itself. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_STEP_H
#define WORKLOADS_STEP_H

#include "tensors.h"

/* What is trained. All four have the same layout. */
struct model {
	struct shape shape;
	struct parameters parameters, mean, square; /* mean, square: AdamW's moments */
	int steps;				    /* updates done */
};

/* The starting model for the seed; moments only where it is to be trained. -1: no memory. */
int model_alloc(struct model *model, const struct shape *shape, int trains, uint64_t seed);
void model_free(struct model *model);

/* Predicts tokens[1..T] from tokens[0..T-1]; returns the mean loss in nats. Allocates nothing. */
double step_forward(const struct model *model, struct activations *activations,
		    const uint8_t *tokens);

/* After step_forward on the same tokens: overwrites `gradients` with the loss's gradient. */
void step_backward(const struct model *model, struct parameters *gradients,
		   struct activations *activations, const uint8_t *tokens);

/* One AdamW update of arena elements from `first` up to `end`, by gradients times
 * `gradient_scale`. The model's `steps` must count this update already, so that several threads can
 * each take a range. */
void step_update(struct model *model, const struct parameters *gradients, float gradient_scale,
		 size_t first, size_t end);

#endif
