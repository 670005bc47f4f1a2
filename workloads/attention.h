/* attention.h: the first half of a block: RMSNorm, single-head causal attention, residual. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_ATTENTION_H
#define WORKLOADS_ATTENTION_H

#include "tensors.h"

/* From block->input to block->middle, both [T, H]. 6 sgemm. */
void attention_forward(const struct shape *shape, const struct block_parameters *parameters,
		       struct block_activations *block);

/* all->d_stream [T, H] comes in as the gradient by `middle` and leaves as that by `input`; the
 * block's weights' gradients are written, its gain's is added to. 12 sgemm. */
void attention_backward(const struct shape *shape, const struct block_parameters *parameters,
			struct block_parameters *gradients, const struct block_activations *block,
			struct activations *all);

#endif
