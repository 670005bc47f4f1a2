/* experts.c: the experts' SwiGLU networks over their tokens, forward and backward. */
/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <string.h>

#include "fused.h"
#include "gemm.h"
#include "step.h"

/* One expert's slots, and the offsets of its rows and matrices. */
struct visit {
	int count;     /* number of slots */
	size_t hidden; /* offset of the first slot's row of H in gathered arrays */
	size_t inner;  /* the same for rows of F */
	size_t matrix; /* offset of its matrices in gate, up and down */
};

/* When routing by sequence, each visited expert gets all tokens in order, so that no copy is
 * needed. */
static bool is_gathered(const struct shape *shape)
{
	return shape->routing == ROUTING_TOKEN;
}

static struct visit visit_of(const struct shape *shape, const struct block_activations *block,
			     int expert)
{
	const size_t h = (size_t)shape->hidden, f = (size_t)shape->inner;
	const size_t start = (size_t)block->expert_start[expert];

	return (struct visit){
		.count = block->expert_start[expert + 1] - block->expert_start[expert],
		.hidden = is_gathered(shape) ? start * h : 0,
		.inner = start * f,
		.matrix = (size_t)expert * h * f,
	};
}

/* to[slot] = from[token of slot]. */
static void gather_rows(const struct shape *shape, const struct block_activations *block,
			const float *from, float *to)
{
	const size_t h = (size_t)shape->hidden;

	for (int s = 0; s < shape->tokens * shape->top_k; s++)
		memcpy(to + (size_t)s * h, from + (size_t)block->slot_token[s] * h,
		       h * sizeof(float));
}

/* to[token of slot] += from[slot]. */
static void scatter_rows(const struct shape *shape, const struct block_activations *block,
			 const float *from, float *to)
{
	const size_t h = (size_t)shape->hidden;

	for (int s = 0; s < shape->tokens * shape->top_k; s++)
		vector_add(to + (size_t)block->slot_token[s] * h, from + (size_t)s * h, 1, h);
}

static void expert_forward(const struct shape *shape, const struct block_parameters *parameters,
			   struct block_activations *block, struct visit v, const float *input,
			   float beta, float *output)
{
	const int h = shape->hidden, f = shape->inner;

	gemm_nn(v.count, f, h, 1, input, parameters->gate + v.matrix, 0, block->gate + v.inner);
	gemm_nn(v.count, f, h, 1, input, parameters->up + v.matrix, 0, block->up + v.inner);
	kernels_of(shape->unfused)
		->swiglu_forward(block->product + v.inner, block->gate + v.inner,
				 block->up + v.inner, block->slot_weight + v.inner / (size_t)f,
				 v.count, f);
	gemm_nn(v.count, h, f, 1, block->product + v.inner, parameters->down + v.matrix, beta,
		output);
}

void experts_forward(const struct shape *shape, const struct block_parameters *parameters,
		     struct block_activations *block, struct activations *all, float *output)
{
	const int t = shape->tokens, h = shape->hidden;
	const bool gathered = is_gathered(shape);
	const float *input = gathered ? block->gathered : block->experts_normed;

	kernels_of(shape->unfused)
		->rmsnorm_forward(block->experts_normed, block->experts_scale, block->middle,
				  parameters->experts_gain, t, h);
	router_forward(shape, parameters, block);
	memcpy(output, block->middle, (size_t)t * (size_t)h * sizeof(float));
	if (gathered)
		gather_rows(shape, block, block->experts_normed, block->gathered);
	for (int e = 0; e < shape->experts; e++) {
		struct visit v = visit_of(shape, block, e);

		if (v.count)
			expert_forward(shape, parameters, block, v, input + v.hidden, !gathered,
				       gathered ? all->expert_output + v.hidden : output);
	}
	if (gathered)
		scatter_rows(shape, block, all->expert_output, output);
}

static void expert_backward(const struct shape *shape, const struct block_parameters *parameters,
			    struct block_parameters *gradients,
			    const struct block_activations *block, struct activations *all,
			    struct visit v, const float *input, const float *d_output, float beta,
			    float *d_input)
{
	const int h = shape->hidden, f = shape->inner, n = v.count;
	const size_t slot = v.inner / (size_t)f;
	float *d_gate = all->d_gate + v.inner, *d_up = all->d_up + v.inner;
	float *d_product = all->d_product + v.inner;

	gemm_nt(n, f, h, 1, d_output, parameters->down + v.matrix, 0, d_product);
	gemm_tn(f, h, n, 1, block->product + v.inner, d_output, 0, gradients->down + v.matrix);
	kernels_of(shape->unfused)
		->swiglu_backward(d_gate, d_up, all->d_slot_weight + slot, d_product,
				  block->gate + v.inner, block->up + v.inner,
				  block->slot_weight + slot, n, f);
	gemm_tn(h, f, n, 1, input, d_gate, 0, gradients->gate + v.matrix);
	gemm_tn(h, f, n, 1, input, d_up, 0, gradients->up + v.matrix);
	gemm_nt(n, h, f, 1, d_gate, parameters->gate + v.matrix, beta, d_input);
	gemm_nt(n, h, f, 1, d_up, parameters->up + v.matrix, 1, d_input);
}

/* Most experts get no token in most steps, so that their gradients are zero already. */
static void clear_unused(const struct shape *shape, struct block_parameters *gradients,
			 struct visit v, int expert, bool summed)
{
	const size_t bytes = (size_t)shape->hidden * (size_t)shape->inner * sizeof(float);

	if (!gradients->used[expert] && !summed)
		return;
	memset(gradients->gate + v.matrix, 0, bytes);
	memset(gradients->up + v.matrix, 0, bytes);
	memset(gradients->down + v.matrix, 0, bytes);
}

void experts_backward(const struct shape *shape, const struct block_parameters *parameters,
		      struct block_parameters *gradients, bool summed,
		      const struct block_activations *block, struct activations *all)
{
	const int t = shape->tokens, h = shape->hidden;
	const bool gathered = is_gathered(shape);
	const float *input = gathered ? block->gathered : block->experts_normed;
	const float *d_output = gathered ? all->expert_output : all->d_stream;
	float *d_input = gathered ? all->d_gathered : all->d_normed;

	memset(all->d_normed, 0, (size_t)t * (size_t)h * sizeof(float));
	if (gathered)
		gather_rows(shape, block, all->d_stream, all->expert_output);
	for (int e = 0; e < shape->experts; e++) {
		struct visit v = visit_of(shape, block, e);

		if (v.count)
			expert_backward(shape, parameters, gradients, block, all, v,
					input + v.hidden, d_output + v.hidden, !gathered,
					d_input + v.hidden);
		else
			clear_unused(shape, gradients, v, e, summed);
		gradients->used[e] = v.count > 0;
	}
	if (gathered)
		scatter_rows(shape, block, all->d_gathered, all->d_normed);
	router_backward(shape, parameters, gradients, block, all);
	kernels_of(shape->unfused)
		->rmsnorm_backward(all->d_stream, gradients->experts_gain, all->d_normed,
				   block->middle, block->experts_scale, parameters->experts_gain, t,
				   h);
}
