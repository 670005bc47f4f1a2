/* shape.h: the sizes of a model, and the symbolic dimensions that the tensor tables are written in.
 */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_SHAPE_H
#define WORKLOADS_SHAPE_H

#include <stddef.h>

enum { SHAPE_MAX_BLOCKS = 64, SHAPE_MAX_EXPERTS = 64, SHAPE_INNER_PER_HIDDEN = 2 };

/* Sequence: all tokens of a sequence go to the same top-k experts, chosen by their mean. Token:
 * each token has its own top-k. */
enum routing { ROUTING_SEQUENCE, ROUTING_TOKEN };

struct shape {
	int tokens;	/* T: in a sequence */
	int hidden;	/* H */
	int inner;	/* F: width inside an expert */
	int blocks;	/* B */
	int experts;	/* E: in a block */
	int top_k;	/* K: experts that a token goes to */
	int vocabulary; /* V */
	enum routing routing;
	_Bool unfused; /* 1: kernels step by step, see unfused.h */
};

enum dim {
	DIM_ONE,
	DIM_TOKENS,	/* T */
	DIM_HIDDEN,	/* H */
	DIM_INNER,	/* F */
	DIM_EXPERTS,	/* E */
	DIM_STARTS,	/* E + 1: where each expert's slots start, and where the last one's end */
	DIM_TOP_K,	/* K */
	DIM_VOCABULARY, /* V */
	DIM_ROUTES,	/* R: routing decisions: 1 by sequence, T by token */
	DIM_SLOTS,	/* S: T * K, one for each visit of a token to an expert */
	DIM_GATHERED,	/* G: slots that need a gathered copy of their token: 0 by sequence, S by
			   token */
};

/* The dimension's size in this shape. */
size_t shape_dim(const struct shape *shape, enum dim dim);

/* cblas_sgemm calls of one step inside the blocks: 12 B forward and 24 B backward when routing by
 * sequence with top-2. By token it is the most there can be: every expert is visited. */
int shape_block_calls(const struct shape *shape, int backward_too);
/* The same with the output head, which adds 1 forward and 2 backward. */
int shape_all_calls(const struct shape *shape, int backward_too);

#endif
