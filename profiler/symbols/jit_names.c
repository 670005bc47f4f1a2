/* jit_names.c: lists pieces of code, and names addresses from the last piece to the first. */
/* SPDX-License-Identifier: MIT */
#include "symbols/jit_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { NAME_MAX_BYTES = 500 };

/* Covers the addresses numbered first to last - 1. */
struct jit_piece {
	size_t first, last;
	const char *name; /* not ended */
	size_t length;
};

/* The first address not below `start`. */
static size_t first_from(const struct jit_address *addresses, size_t count, uint64_t start)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (addresses[middle].address < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int jit_names_add(struct jit_names *names, const struct jit_address *addresses, size_t count,
		  uint64_t start, uint64_t size, const char *name, size_t length)
{
	struct jit_piece piece = {.name = name, .length = length}, *row;

	piece.first = first_from(addresses, count, start);
	piece.last = first_from(addresses, count, start + size);
	if (piece.first >= piece.last)
		return 0;
	row = array_add(&names->pieces, &names->count, sizeof *row);
	if (!row)
		return -1;
	*row = piece;
	return 0;
}

/* The first address from `i` on that was not looked at yet: next[] leads there. */
static size_t skip_named(size_t *next, size_t i)
{
	while (next[i] != i) {
		next[i] = next[next[i]];
		i = next[i];
	}
	return i;
}

int jit_names_give(const struct jit_names *names, struct jit_address *addresses, size_t count)
{
	size_t *next = malloc((count + 1) * sizeof *next);

	for (size_t i = 0; next && i <= count; i++)
		next[i] = i < count && addresses[i].function ? i + 1 : i;
	for (size_t p = names->count; next && p-- > 0;) {
		const struct jit_piece *piece = &names->pieces[p];
		size_t length = piece->length < NAME_MAX_BYTES ? piece->length : NAME_MAX_BYTES;
		size_t i = skip_named(next, piece->first);

		for (; i < piece->last; i = skip_named(next, i)) {
			addresses[i].function = strndup(piece->name, length);
			next[i] = i + 1;
		}
	}
	free(next);
	return next ? 0 : -1;
}
