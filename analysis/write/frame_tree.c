/* frame_tree.c: makes a tree of functions of the folded call stacks. */
/* SPDX-License-Identifier: MIT */
#include "write/frame_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "write/escape.h"
#include "write/text_line.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"

/* Returns the index of the row with this key; adds the row if there is none. */
static uint32_t index_of(struct idmap *known, uint64_t key, void *rows, size_t *count, size_t size,
			 const void *row)
{
	uint32_t at = idmap_number(known, key, *count);

	if (at == *count)
		memory_append(rows, count, size, row);
	return at;
}

/* Stacks of a run under a what-if begin with a frame that names it. */
static void add_stack(struct frame_tree *tree, const char *what_if,
		      const struct report_stack *stack)
{
	struct frame_node node = {.parent = FRAME_NONE};
	char *text, *rest;

	memory_check(asprintf(&text, "%s%s%s%s", *what_if ? "[what-if " : "", what_if,
			      *what_if ? "];" : "", stack->stack) < 0);
	for (char *frame = strtok_r(text, ";", &rest); frame; frame = strtok_r(NULL, ";", &rest)) {
		char *safe = escape_copy(frame, "");
		const char *name = string_pooled(safe);

		free(safe);
		node.name = index_of(&tree->by_name, string_number(name), &tree->names,
				     &tree->nnames, sizeof name, &name);
		node.parent = index_of(&tree->by_node,
				       (uint64_t)(node.parent + 1) << 32 | (uint64_t)node.name,
				       &tree->nodes, &tree->nnodes, sizeof node, &node);
	}
	free(text);
	if (node.parent != FRAME_NONE)
		memory_append(&tree->leaves, &tree->nleaves, sizeof(struct frame_leaf),
			      &(struct frame_leaf){node.parent, stack});
}

int frame_tree_build(const struct report *report, struct frame_tree *tree, struct error *err)
{
	*tree = (struct frame_tree){.threads = text_threads(report)};
	if (report->nruns)
		tree->rate_hz = report->runs[report->nruns - 1].sample_rate_hz;
	EACH_AT(stack, report, stacks, tree->threads)
		if (*stack->stack)
			add_stack(tree, report->what_if, stack);
	if (tree->nleaves)
		return 0;
	frame_tree_free(tree);
	return error_set(err, "record with call stacks: blasprof --call-graph=fp or =dwarf",
			 "there are no call stacks at the thread count that is reported on");
}

void frame_tree_free(struct frame_tree *tree)
{
	idmap_free(&tree->by_name);
	idmap_free(&tree->by_node);
	free(tree->names);
	free(tree->nodes);
	free(tree->leaves);
	*tree = (struct frame_tree){0};
}
