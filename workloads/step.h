/* step.h: one step of the network: forward, backward and update; and the two halves of its blocks.
 */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_STEP_H
#define WORKLOADS_STEP_H

#include "tensors.h"

/* The model. Its three sets of parameters have the same layout. */
struct model {
	struct shape shape;
	struct parameters parameters, mean, square; /* mean, square: AdamW's moments */
	int steps;				    /* number of updates done */
};

/* Allocates and initialises the model by the seed; its moments only if `trains`. Returns -1 if
 * there is no memory. */
int model_alloc(struct model *model, const struct shape *shape, int trains, uint64_t seed);
void model_free(struct model *model);

/* Predicts tokens[1..T] from tokens[0..T-1]; returns the mean loss in nats. Allocates nothing. */
double step_forward(const struct model *model, struct activations *activations,
		    const uint8_t *tokens);

/* Overwrites `gradients` with the gradient of the loss; after step_forward() on the same tokens. */
void step_backward(const struct model *model, struct parameters *gradients,
		   struct activations *activations, const uint8_t *tokens);

/* Makes one AdamW update of the arena elements `first` to `end` - 1, by gradients times
 * `gradient_scale`. The model's `steps` must count this update already, so that several threads can
 * each update a range. */
void step_update(struct model *model, const struct parameters *gradients, float gradient_scale,
		 size_t first, size_t end);

/* The first half of a block: RMSNorm, single-head causal attention, residual. Reads block->input
 * and writes block->middle, both [T, H]. 6 sgemm. */
void attention_forward(const struct shape *shape, const struct block_parameters *parameters,
		       struct block_activations *block);

/* Turns all->d_stream [T, H] from the gradient by `middle` into that by `input`. Writes the
 * gradients of the weights and adds to that of the gain. 12 sgemm. */
void attention_backward(const struct shape *shape, const struct block_parameters *parameters,
			struct block_parameters *gradients, const struct block_activations *block,
			struct activations *all);

/* The second half of a block: RMSNorm, router, SwiGLU experts, residual. Reads block->middle and
 * writes `output`, both [T, H]. 3 sgemm for each expert that has a token. */
void experts_forward(const struct shape *shape, const struct block_parameters *parameters,
		     struct block_activations *block, struct activations *all, float *output);

/* Turns all->d_stream [T, H] from the gradient by `output` into that by `middle`. Writes the
 * gradients of the experts that were used, clears those of others unless they are zero already, and
 * adds to those of gain and router. 6 sgemm for each expert that has a token. */
void experts_backward(const struct shape *shape, const struct block_parameters *parameters,
		      struct block_parameters *gradients, bool summed,
		      const struct block_activations *block, struct activations *all);

/* Scores every expert by its row of the router (without BLAS, because the products are small),
 * takes the top-k of each route, weighs them by a softmax over these k, and lists the slots expert
 * by expert, with tokens in order. When routing by sequence, the single route is chosen by the mean
 * of all tokens, including later ones: the choice of experts is all that a token learns from its
 * future. */
void router_forward(const struct shape *shape, const struct block_parameters *parameters,
		    struct block_activations *block);

/* Adds to all->d_normed [T, H] and to the router's gradient, given all->d_slot_weight [S]. The
 * choice itself has no gradient; neither has the weight with top-1, where it is 1. */
void router_backward(const struct shape *shape, const struct block_parameters *parameters,
		     struct block_parameters *gradients, const struct block_activations *block,
		     struct activations *all);

#endif
