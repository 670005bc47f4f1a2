/* jit_names.h: gives addresses the names of the pieces of code that cover them; the last one holds.
 */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_JIT_NAMES_H
#define RECORD_JIT_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* An address to be named. */
struct jit_address {
	uint64_t address;
	char *function; /* NULL: not known; else to be freed by the caller */
};

/* Pieces of code that cover at least one address. A zeroed one is empty; free jit_names.pieces. */
struct jit_names {
	struct jit_piece *pieces;
	size_t count;
};

/* Adds a piece, where it covers an address; these must be in order. The name is not copied, and
 * need not be ended. -1 when memory is out. */
int jit_names_add(struct jit_names *names, const struct jit_address *addresses, size_t count,
		  uint64_t start, uint64_t size, const char *name, size_t length);

/* Names the addresses that have no name yet, by the piece that was added last. Names longer than
 * 500 bytes are cut. -1 when memory is out. */
int jit_names_give(const struct jit_names *names, struct jit_address *addresses, size_t count);

#endif
