/* stack_tree.h: call stacks as a tree: each node is an address, called from its parent's. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_STACK_TREE_H
#define SAMPLING_STACK_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"

/* Two nodes without an address that are always there: below the one lie the stacks that are known
 * down to the thread's start, below the other those that were truncated before it. */
enum { STACK_WHOLE, STACK_CUT, STACK_ROOTS };
#define STACK_NONE UINT32_MAX /* no stack was taken */
#define STACKS_MAX 262144     /* nodes */

struct stack_node {
	uint32_t parent;  /* its number is lower than the node's; a root has itself */
	uint32_t address; /* IDMAP_NONE in a root */
};

/* A zeroed tree is empty, without its roots. */
struct stack_tree {
	struct stack_node *nodes;
	size_t count;
	struct idmap index;
	int full; /* stacks were put below STACK_CUT with their innermost address only */
};

/* The node of the stack of these addresses, innermost first, at least one. Once the tree is full,
 * the node of the innermost address alone, or STACK_NONE. */
uint32_t stack_tree_add(struct stack_tree *tree, const uint32_t *addresses, size_t count,
			int whole);
void stack_tree_free(struct stack_tree *tree);

#endif
