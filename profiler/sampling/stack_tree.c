/* stack_tree.c: finds a stack's node from the outermost address inwards. */
/* SPDX-License-Identifier: MIT */
#include "sampling/stack_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static uint32_t add_node(struct stack_tree *tree, uint32_t parent, uint32_t address)
{
	struct stack_node *node = array_add(&tree->nodes, &tree->count, sizeof *node);

	if (!node)
		return STACK_NONE;
	*node = (struct stack_node){parent, address};
	return (uint32_t)(tree->count - 1);
}

static uint32_t find_or_add(struct stack_tree *tree, uint32_t parent, uint32_t address)
{
	uint64_t key = (uint64_t)parent << 32 | address;
	uint32_t node = idmap_find(&tree->index, key);

	if (node != IDMAP_NONE)
		return node;
	if (tree->count >= STACKS_MAX) {
		tree->full = 1;
		return STACK_NONE;
	}
	node = add_node(tree, parent, address);
	if (node != STACK_NONE && idmap_put(&tree->index, key, node)) {
		tree->count--;
		return STACK_NONE;
	}
	return node;
}

uint32_t stack_tree_add(struct stack_tree *tree, const uint32_t *addresses, size_t count, int whole)
{
	uint32_t node = whole ? STACK_WHOLE : STACK_CUT;

	while (tree->count < STACK_ROOTS)
		if (add_node(tree, (uint32_t)tree->count, IDMAP_NONE) == STACK_NONE)
			return STACK_NONE;
	for (size_t i = count; i-- > 0 && node != STACK_NONE;)
		node = find_or_add(tree, node, addresses[i]);
	if (node == STACK_NONE)
		node = idmap_find(&tree->index, (uint64_t)STACK_CUT << 32 | addresses[0]);
	return node;
}

void stack_tree_free(struct stack_tree *tree)
{
	free(tree->nodes);
	idmap_free(&tree->index);
	memset(tree, 0, sizeof *tree);
}
