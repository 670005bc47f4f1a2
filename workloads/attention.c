/* attention.c: single-head causal attention, forward and backward. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "fused.h"
#include "gemm.h"
#include "step.h"

static float attention_temper(const struct shape *shape)
{
	return 1.0f / sqrtf((float)shape->hidden);
}

void attention_forward(const struct shape *shape, const struct block_parameters *parameters,
		       struct block_activations *block)
{
	const int t = shape->tokens, h = shape->hidden;
	const float *normed = block->attention_normed;

	kernels_of(shape->unfused)
		->rmsnorm_forward(block->attention_normed, block->attention_scale, block->input,
				  parameters->attention_gain, t, h);
	gemm_nn(t, h, h, 1, normed, parameters->query, 0, block->query);
	gemm_nn(t, h, h, 1, normed, parameters->key, 0, block->key);
	gemm_nn(t, h, h, 1, normed, parameters->value, 0, block->value);
	gemm_nt(t, t, h, attention_temper(shape), block->query, block->key, 0, block->attention);
	kernels_of(shape->unfused)->causal_softmax_forward(block->attention, t);
	gemm_nn(t, h, t, 1, block->attention, block->value, 0, block->mixed);
	memcpy(block->middle, block->input, (size_t)t * (size_t)h * sizeof(float));
	gemm_nn(t, h, h, 1, block->mixed, parameters->output, 1, block->middle);
}

/* Computes d_query, d_key and d_value from all->d_stream, the gradient by `middle`. */
static void mixing_backward(const struct shape *shape, const struct block_parameters *parameters,
			    struct block_parameters *gradients,
			    const struct block_activations *block, struct activations *all)
{
	const int t = shape->tokens, h = shape->hidden;
	const float temper = attention_temper(shape);

	gemm_tn(h, h, t, 1, block->mixed, all->d_stream, 0, gradients->output);
	gemm_nt(t, h, h, 1, all->d_stream, parameters->output, 0, all->d_mixed);
	gemm_nt(t, t, h, 1, all->d_mixed, block->value, 0, all->d_attention);
	gemm_tn(t, h, t, 1, block->attention, all->d_mixed, 0, all->d_value);
	kernels_of(shape->unfused)->causal_softmax_backward(all->d_attention, block->attention, t);
	gemm_nn(t, h, t, temper, all->d_attention, block->key, 0, all->d_query);
	gemm_tn(t, h, t, temper, all->d_attention, block->query, 0, all->d_key);
}

void attention_backward(const struct shape *shape, const struct block_parameters *parameters,
			struct block_parameters *gradients, const struct block_activations *block,
			struct activations *all)
{
	const int t = shape->tokens, h = shape->hidden;
	const float *normed = block->attention_normed;

	mixing_backward(shape, parameters, gradients, block, all);
	gemm_tn(h, h, t, 1, normed, all->d_query, 0, gradients->query);
	gemm_tn(h, h, t, 1, normed, all->d_key, 0, gradients->key);
	gemm_tn(h, h, t, 1, normed, all->d_value, 0, gradients->value);
	gemm_nt(t, h, h, 1, all->d_query, parameters->query, 0, all->d_normed);
	gemm_nt(t, h, h, 1, all->d_key, parameters->key, 1, all->d_normed);
	gemm_nt(t, h, h, 1, all->d_value, parameters->value, 1, all->d_normed);
	kernels_of(shape->unfused)
		->rmsnorm_backward(all->d_stream, gradients->attention_gain, all->d_normed,
				   block->input, block->attention_scale, parameters->attention_gain,
				   t, h);
}
