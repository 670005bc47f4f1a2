/* frame_tree.h: the call stacks of one thread count as a tree, for the formats of other tools.
 * Private to analysis/report. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_FRAME_TREE_H
#define REPORT_FRAME_TREE_H

#include "report/report.h"

#define FRAME_NONE (-1L)

/* A function called from where its parent is. */
struct frame_node {
	long parent; /* its place in nodes[], before this one; FRAME_NONE: outermost */
	long name;   /* place in names[] */
};

/* Samples in just this stack. */
struct frame_leaf {
	long node; /* of the innermost function */
	const struct report_stack *stack;
};

struct frame_tree {
	int threads;	/* the thread count whose stacks these are */
	double rate_hz; /* samples a second and thread; 0: not known */
	char **names;	/* each once, UTF-8 without control characters */
	size_t nnames;
	struct frame_node *nodes;
	size_t nnodes;
	struct frame_leaf *leaves;
	size_t nleaves;
	void *by_name, *by_place; /* search trees */
};

/* The stacks at the thread count that the text report shows. Returns 0, or -1 with *err and nothing
 * to free where there are none. The report must outlive the tree. */
int frame_tree_build(const struct report *report, struct frame_tree *tree, struct error *err);
void frame_tree_free(struct frame_tree *tree);

#endif
