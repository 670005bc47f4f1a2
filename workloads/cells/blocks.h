/* blocks.h: memory for operands, used again: fresh pages take the system longer than most cells. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_BLOCKS_H
#define CELLS_BLOCKS_H

#include <stddef.h>

/* So many bytes, aligned to a cache line, with anything in them; NULL: no memory. Of one thread
 * only, like block_give(). */
void *block_take(size_t bytes);
/* Gives back what block_take() returned. */
void block_give(void *block);

#endif
