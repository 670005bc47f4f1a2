/* shape.h: the sizes of a model, and the symbolic dimensions of the tensor tables. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_SHAPE_H
#define WORKLOADS_SHAPE_H

#include <stddef.h>

enum { SHAPE_MAX_BLOCKS = 64, SHAPE_MAX_EXPERTS = 64, SHAPE_INNER_PER_HIDDEN = 2 };

/* By sequence: all tokens of a sequence go to the same top-k experts, chosen by the tokens' mean.
 * By token: each token has its own top-k experts. */
enum routing { ROUTING_SEQUENCE, ROUTING_TOKEN };

struct shape {
	int tokens;	/* T: tokens in a sequence */
	int hidden;	/* H */
	int inner;	/* F: inner width of an expert */
	int blocks;	/* B */
	int experts;	/* E: experts in a block */
	int top_k;	/* K: experts that a token goes to */
	int vocabulary; /* V */
	enum routing routing;
	_Bool unfused; /* true for unfused_kernels, see fused.h */
};

enum dim {
	DIM_ONE,
	DIM_TOKENS,	/* T */
	DIM_HIDDEN,	/* H */
	DIM_INNER,	/* F */
	DIM_EXPERTS,	/* E */
	DIM_STARTS,	/* E + 1: start of each expert's slots, and end of the last one's */
	DIM_TOP_K,	/* K */
	DIM_VOCABULARY, /* V */
	DIM_ROUTES,	/* R: routing decisions: 1 by sequence, T by token */
	DIM_SLOTS,	/* S: T * K, one for each visit of a token to an expert */
	DIM_GATHERED, /* G: slots with a gathered copy of their token: 0 by sequence, S by token */
};

/* The size of a dimension. */
size_t shape_dim(const struct shape *shape, enum dim dim);

/* Number of cblas_sgemm calls of one step in the blocks: 12 B forward and 24 B backward when
 * routing by sequence with top-2. When routing by token it is the maximum, with every expert
 * visited. */
int shape_block_calls(const struct shape *shape, int backward_too);
/* The same including the output head, which adds 1 call forward and 2 backward. */
int shape_all_calls(const struct shape *shape, int backward_too);

#endif
