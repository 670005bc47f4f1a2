/* frame_tree.c: makes a tree of functions of the folded call stacks. */
/* SPDX-License-Identifier: MIT */
#include "write/frame_tree.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "write/escape.h"
#include "write/text_line.h"
#include "base/array.h"
#include "base/memory.h"

/* An entry of a search tree: a name or a node, with its index in the array. */
struct place {
	char *name;
	struct frame_node node;
	long at;
};

COMPARE(compare_names, struct place, strcmp(a->name, b->name))

COMPARE(compare_nodes, struct place,
	ORDER(a->node.parent, b->node.parent) ?: ORDER(a->node.name, b->node.name))

/* Returns the entry that equals `sought`; adds a copy with the index FRAME_NONE if there is none.
 */
static struct place *find_or_add(void **root, const struct place *sought,
				 int (*compare)(const void *, const void *))
{
	struct place **found = tfind(sought, root, compare), *copy;

	if (found)
		return *found;
	copy = memory_bytes(sizeof *copy);
	*copy = *sought;
	copy->at = FRAME_NONE;
	memory_need(tsearch(copy, root, compare));
	return copy;
}

/* Returns the index of `name`, and takes ownership of it. */
static long name_place(struct frame_tree *tree, char *name)
{
	struct place sought = {.name = name};
	struct place *place = find_or_add(&tree->by_name, &sought, compare_names);
	char **row;

	if (place->at != FRAME_NONE) {
		free(name);
		return place->at;
	}
	row = memory_add(&tree->names, &tree->nnames, sizeof *row);
	*row = name;
	place->at = (long)tree->nnames - 1;
	return place->at;
}

static long node_place(struct frame_tree *tree, struct frame_node node)
{
	struct place sought = {.node = node};
	struct place *place = find_or_add(&tree->by_place, &sought, compare_nodes);
	struct frame_node *row;

	if (place->at != FRAME_NONE)
		return place->at;
	row = memory_add(&tree->nodes, &tree->nnodes, sizeof *row);
	*row = node;
	place->at = (long)tree->nnodes - 1;
	return place->at;
}

/* Adds a stack and returns the node of its innermost function; FRAME_NONE if it is empty. */
static long add_frames(struct frame_tree *tree, char *stack)
{
	struct frame_node node = {.parent = FRAME_NONE};
	char *rest, *frame = strtok_r(stack, ";", &rest);

	for (; frame; frame = strtok_r(NULL, ";", &rest)) {
		node.name = name_place(tree, escape_copy(frame, ""));
		node.parent = node_place(tree, node);
	}
	return node.parent;
}

/* Stacks of a run under a what-if begin with a frame that names it. */
static void add_stack(struct frame_tree *tree, const struct report *report,
		      const struct report_stack *stack)
{
	const char *what_if = report->what_if;
	struct frame_leaf *leaf;
	char *text;
	long node;

	memory_check(asprintf(&text, "%s%s%s%s", *what_if ? "[what-if " : "", what_if,
			      *what_if ? "];" : "", stack->stack) < 0);
	node = add_frames(tree, text);
	free(text);
	if (node == FRAME_NONE)
		return;
	leaf = memory_add(&tree->leaves, &tree->nleaves, sizeof *leaf);
	*leaf = (struct frame_leaf){node, stack};
}

int frame_tree_build(const struct report *report, struct frame_tree *tree, struct error *err)
{
	const struct report_row *focus = text_focus(report);

	*tree = (struct frame_tree){.threads = focus ? focus->threads : 0};
	if (report->nruns)
		tree->rate_hz = report->runs[report->nruns - 1].sample_rate_hz;
	EACH_ROW(stack, report->stacks, report->nstacks)
		if (stack->threads == tree->threads && *stack->stack)
			add_stack(tree, report, stack);
	if (tree->nleaves)
		return 0;
	frame_tree_free(tree);
	return error_set(err, "record with call stacks: blasprof --call-graph=fp or =dwarf",
			 "there are no call stacks at the thread count that is reported on");
}

void frame_tree_free(struct frame_tree *tree)
{
	tdestroy(tree->by_name, free);
	tdestroy(tree->by_place, free);
	for (size_t i = 0; i < tree->nnames; i++)
		free(tree->names[i]);
	free(tree->names);
	free(tree->nodes);
	free(tree->leaves);
	*tree = (struct frame_tree){0};
}
