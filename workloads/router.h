/* router.h: which experts each token goes to, and with what weight. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_ROUTER_H
#define WORKLOADS_ROUTER_H

#include "tensors.h"

/* Scores every expert by its row of the router (no BLAS: too small), takes the top-k of each
 * route, weighs them by softmax over those k, and lays out the slots expert by expert, tokens in
 * order. By sequence the one route sees the mean of all tokens, later ones too: the choice of
 * experts is the only thing that a token learns from its future. */
void router_forward(const struct shape *shape, const struct block_parameters *parameters,
		    struct block_activations *block);

/* From all->d_slot_weight [S] adds to all->d_normed [T, H] and to the router's gradient. The choice
 * itself has no gradient; with top-1 the weight is 1 and has none either. */
void router_backward(const struct shape *shape, const struct block_parameters *parameters,
		     struct block_parameters *gradients, const struct block_activations *block,
		     struct activations *all);

#endif
