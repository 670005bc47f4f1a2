/* frame_tree.h: the call stacks of one thread count as a tree, for the formats of other tools. */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_FRAME_TREE_H
#define WRITE_FRAME_TREE_H

#include "base/idmap.h"
#include "report/report.h"

#define FRAME_NONE (-1L)

/* A function with the stack of its callers. */
struct frame_node {
	long parent; /* index in nodes[] of the caller, less than its own; FRAME_NONE: outermost */
	long name;   /* index in names[] */
};

/* The end of a stack that was sampled. */
struct frame_leaf {
	long node; /* the innermost function */
	const struct report_stack *stack;
};

struct frame_tree {
	int threads;	    /* the thread count whose stacks these are */
	double rate_hz;	    /* samples per second and thread; 0: not known */
	const char **names; /* unique; UTF-8 without control characters */
	size_t nnames;
	struct frame_node *nodes;
	size_t nnodes;
	struct frame_leaf *leaves;
	size_t nleaves;
	struct idmap by_name, by_node; /* the indices of both */
};

/* Builds the tree of the stacks at the thread count that the text report shows. Returns 0, or -1
 * with *err and nothing to free if there are none. The report must outlive the tree. */
int frame_tree_build(const struct report *report, struct frame_tree *tree, struct error *err);
void frame_tree_free(struct frame_tree *tree);

#endif
