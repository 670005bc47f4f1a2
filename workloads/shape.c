/* shape.c: sizes of dimensions, and the number of BLAS calls that follows from a shape. */
/* SPDX-License-Identifier: MIT */
#include "shape.h"

/* Forward products of a block: q, k, v, o, scores, attention times v; and gate, up, down of an
 * expert. Each has two products in backward: one for the gradient of its input, one for that of its
 * weight (or its other input). */
enum { ATTENTION_PRODUCTS = 6, EXPERT_PRODUCTS = 3, FORWARD_AND_BACKWARD = 3 };

size_t shape_dim(const struct shape *shape, enum dim dim)
{
	size_t tokens = (size_t)shape->tokens, slots = tokens * (size_t)shape->top_k;
	int by_token = shape->routing == ROUTING_TOKEN;

	switch (dim) {
	case DIM_ONE:
		return 1;
	case DIM_TOKENS:
		return tokens;
	case DIM_HIDDEN:
		return (size_t)shape->hidden;
	case DIM_INNER:
		return (size_t)shape->inner;
	case DIM_EXPERTS:
		return (size_t)shape->experts;
	case DIM_STARTS:
		return (size_t)shape->experts + 1;
	case DIM_TOP_K:
		return (size_t)shape->top_k;
	case DIM_VOCABULARY:
		return (size_t)shape->vocabulary;
	case DIM_ROUTES:
		return by_token ? tokens : 1;
	case DIM_SLOTS:
		return slots;
	case DIM_GATHERED:
		return by_token ? slots : 0;
	}
	return 0;
}

int shape_block_calls(const struct shape *shape, int backward_too)
{
	int experts = shape->top_k, slots = shape->tokens * shape->top_k;

	if (shape->routing == ROUTING_TOKEN)
		experts = slots < shape->experts ? slots : shape->experts;
	return shape->blocks * (ATTENTION_PRODUCTS + EXPERT_PRODUCTS * experts) *
	       (backward_too ? FORWARD_AND_BACKWARD : 1);
}

int shape_all_calls(const struct shape *shape, int backward_too)
{
	return shape_block_calls(shape, backward_too) + (backward_too ? FORWARD_AND_BACKWARD : 1);
}
