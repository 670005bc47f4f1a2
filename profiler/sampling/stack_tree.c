/* stack_tree.c: finds a stack's node from the outermost address inwards. */
/* SPDX-License-Identifier: MIT */
#include "sampling/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static uint32_t add_node(struct stack_tree *tree, uint32_t parent, uint32_t address)
{
	struct stack_node node = {parent, address};

	memory_append(&tree->nodes, &tree->count, sizeof node, &node);
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
	idmap_put(&tree->index, key, node);
	return node;
}

uint32_t stack_tree_add(struct stack_tree *tree, const uint32_t *addresses, size_t count, int whole)
{
	uint32_t node = whole ? STACK_WHOLE : STACK_CUT;

	while (tree->count < STACK_ROOTS)
		add_node(tree, (uint32_t)tree->count, IDMAP_NONE);
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
