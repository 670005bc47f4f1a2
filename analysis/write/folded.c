/* folded.c: writes one line for each call stack, for FlameGraph, inferno and speedscope. */
/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "write/format.h"
#include "write/frame_tree.h"

static void write_frames(const struct frame_tree *tree, long node, FILE *out)
{
	long parent = tree->nodes[node].parent;

	if (parent != FRAME_NONE) {
		write_frames(tree, parent, out);
		fputc(';', out);
	}
	fputs(tree->names[tree->nodes[node].name], out);
}

int folded_write(const struct report *report, const char *part, FILE *out, struct error *err)
{
	struct frame_tree tree;

	if (frame_tree_build(report, &tree, err))
		return -1;
	EACH_ROW(leaf, tree.leaves, tree.nleaves) {
		write_frames(&tree, leaf->node, out);
		fprintf(out, " %.0f\n", leaf->stack->samples);
	}
	frame_tree_free(&tree);
	return 0;
}
