/* blocks.c: keeps large pieces of memory that operands have left for the next ones. */
/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "cells/blocks.h"
#include "cells/kernel.h"

/* Smaller ones come from malloc(), which keeps them itself. */
enum { LARGE_BYTES = 1 << 20, BLOCKS_MAX = 64 };

static struct block {
	void *base; /* NULL: there is none */
	size_t bytes;
	bool taken;
} blocks[BLOCKS_MAX];

/* The smallest that is free and large enough, or NULL. */
static struct block *find_free(size_t bytes)
{
	struct block *best = NULL;

	for (struct block *block = blocks; block < blocks + BLOCKS_MAX; block++)
		if (block->base && !block->taken && block->bytes >= bytes &&
		    (!best || block->bytes < best->bytes))
			best = block;
	return best;
}

/* Gives the system what is free, and too small for what is wanted now. */
static void drop_free(void)
{
	for (struct block *block = blocks; block < blocks + BLOCKS_MAX; block++)
		if (block->base && !block->taken) {
			free(block->base);
			block->base = NULL;
		}
}

static struct block *find_base(const void *base)
{
	for (struct block *block = blocks; block < blocks + BLOCKS_MAX; block++)
		if (block->base == base)
			return block;
	return NULL;
}

void *block_take(size_t bytes)
{
	struct block *block = bytes < LARGE_BYTES ? NULL : find_free(bytes);
	void *base;

	if (block) {
		block->taken = true;
		return block->base;
	}
	if (bytes >= LARGE_BYTES)
		drop_free();
	base = aligned_alloc(CACHE_LINE_BYTES, bytes);
	block = base && bytes >= LARGE_BYTES ? find_base(NULL) : NULL;
	if (block)
		*block = (struct block){base, bytes, true};
	return base;
}

void block_give(void *base)
{
	struct block *block = base ? find_base(base) : NULL;

	if (block)
		block->taken = false;
	else
		free(base);
}
