/* router.c: top-k choice of experts, forward and backward. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kernels.h"
#include "step.h"

/* The input of route r, [H]. */
static const float *route_input(const struct shape *shape, const struct block_activations *block,
				int r)
{
	if (shape->routing == ROUTING_SEQUENCE)
		return block->mean;
	return block->experts_normed + (size_t)r * (size_t)shape->hidden;
}

/* Writes the k best experts to choice, best first; of equal ones the first. */
static void choose_top(const float *scores, int experts, int32_t *choice, int k)
{
	bool taken[SHAPE_MAX_EXPERTS] = {false};

	for (int j = 0; j < k; j++) {
		int best = -1;

		for (int e = 0; e < experts; e++)
			if (!taken[e] && (best < 0 || scores[e] > scores[best]))
				best = e;
		taken[best] = true;
		choice[j] = best;
	}
}

/* weight = softmax of the chosen scores; the first is the largest. */
static void weigh_choice(const float *scores, const int32_t *choice, float *weight, int k)
{
	float sum = 0;

	for (int j = 0; j < k; j++) {
		weight[j] = expf(scores[choice[j]] - scores[choice[0]]);
		sum += weight[j];
	}
	for (int j = 0; j < k; j++)
		weight[j] /= sum;
}

static void lay_out_slots(const struct shape *shape, struct block_activations *block)
{
	const int k = shape->top_k;
	int32_t slot = 0;

	for (int e = 0; e < shape->experts; e++) {
		block->expert_start[e] = slot;
		for (int i = 0; i < shape->tokens * k; i++) {
			int token = i / k;
			int choice = shape->routing == ROUTING_SEQUENCE ? i % k : i;

			if (block->choice[choice] != e)
				continue;
			block->slot_token[slot] = token;
			block->slot_choice[slot] = choice;
			block->slot_weight[slot++] = block->choice_weight[choice];
		}
	}
	block->expert_start[shape->experts] = slot;
}

void router_forward(const struct shape *shape, const struct block_parameters *parameters,
		    struct block_activations *block)
{
	const int routes = (int)shape_dim(shape, DIM_ROUTES), k = shape->top_k;
	const size_t h = (size_t)shape->hidden;

	if (shape->routing == ROUTING_SEQUENCE)
		mean_rows_forward(block->mean, block->experts_normed, shape->tokens, shape->hidden);
	for (int r = 0; r < routes; r++) {
		float *scores = block->scores + r * shape->experts;
		int32_t *choice = block->choice + r * k;

		for (int e = 0; e < shape->experts; e++)
			scores[e] = vector_dot(route_input(shape, block, r),
					       parameters->router + (size_t)e * h, h);
		choose_top(scores, shape->experts, choice, k);
		weigh_choice(scores, choice, block->choice_weight + r * k, k);
	}
	lay_out_slots(shape, block);
}

/* Adds to d_input [H] and to the router's gradient, given d_weight [K] of one route. */
static void route_backward(const struct shape *shape, const struct block_parameters *parameters,
			   struct block_parameters *gradients,
			   const struct block_activations *block, int r, const float *d_weight,
			   float *d_input)
{
	const int32_t *choice = block->choice + r * shape->top_k;
	const float *weight = block->choice_weight + r * shape->top_k;
	const float *input = route_input(shape, block, r);
	const size_t h = (size_t)shape->hidden;
	float mean = 0;

	for (int j = 0; j < shape->top_k; j++)
		mean += weight[j] * d_weight[j];
	for (int j = 0; j < shape->top_k; j++) {
		float d_score = weight[j] * (d_weight[j] - mean);
		size_t row = (size_t)choice[j] * h;

		vector_add(gradients->router + row, input, d_score, h);
		vector_add(d_input, parameters->router + row, d_score, h);
	}
}

void router_backward(const struct shape *shape, const struct block_parameters *parameters,
		     struct block_parameters *gradients, const struct block_activations *block,
		     struct activations *all)
{
	const int routes = (int)shape_dim(shape, DIM_ROUTES), k = shape->top_k;
	const size_t h = (size_t)shape->hidden;
	const bool by_sequence = shape->routing == ROUTING_SEQUENCE;

	memset(all->d_choice, 0, (size_t)routes * (size_t)k * sizeof(float));
	memset(all->d_mean, 0, h * sizeof(float));
	for (int s = 0; s < shape->tokens * k; s++)
		all->d_choice[block->slot_choice[s]] += all->d_slot_weight[s];
	for (int r = 0; r < routes; r++)
		route_backward(shape, parameters, gradients, block, r, all->d_choice + r * k,
			       by_sequence ? all->d_mean : all->d_normed + (size_t)r * h);
	if (by_sequence)
		mean_rows_backward(all->d_normed, all->d_mean, shape->tokens, shape->hidden);
}
