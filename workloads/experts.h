/* experts.h: the second half of a block: RMSNorm, router, SwiGLU experts, residual. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_EXPERTS_H
#define WORKLOADS_EXPERTS_H

#include "tensors.h"

/* From block->middle to `output`, both [T, H]. 3 sgemm for each expert that has a token. */
void experts_forward(const struct shape *shape, const struct block_parameters *parameters,
		     struct block_activations *block, struct activations *all, float *output);

/* all->d_stream [T, H] comes in as the gradient by `output` and leaves as that by `middle`; the
 * gradients of weights that were used are written, those of experts that were not are made zero
 * where they may be another, those of gain and router added to. 6 sgemm for each expert that has a
 * token. */
void experts_backward(const struct shape *shape, const struct block_parameters *parameters,
		      struct block_parameters *gradients, bool summed,
		      const struct block_activations *block, struct activations *all);

#endif
