/* address_space.c: keeps a process's executable mappings sorted. */
/* SPDX-License-Identifier: MIT */
#include "sampling/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

struct address_space *address_space_copy(const struct address_space *space)
{
	struct address_space *copy = memory_rows(1, sizeof *copy);

	copy->count = space ? space->count : 0;
	copy->maps = memory_rows(copy->count, sizeof *copy->maps);
	if (copy->count)
		memcpy(copy->maps, space->maps, copy->count * sizeof *copy->maps);
	return copy;
}

void address_space_free(struct address_space *space)
{
	if (space)
		free(space->maps);
	free(space);
}

/* The first mapping that ends after the address. */
static size_t first_after(const struct address_space *space, uint64_t address)
{
	return ARRAY_BOUND(space->count, i, space->maps[i].end <= address);
}

void address_space_map(struct address_space *space, const struct mapping *mapping)
{
	struct mapping pieces[3]; /* what is left before, the new one, what is left after */
	size_t first, last, count = 0;
	struct mapping *maps;

	if (mapping->start >= mapping->end)
		return;
	maps = memory_need(reallocarray(space->maps, space->count + 2, sizeof *maps));
	space->maps = maps;
	first = last = first_after(space, mapping->start);
	while (last < space->count && maps[last].start < mapping->end)
		last++;
	if (last > first && maps[first].start < mapping->start) {
		pieces[count] = maps[first];
		pieces[count++].end = mapping->start;
	}
	pieces[count++] = *mapping;
	if (last > first && maps[last - 1].end > mapping->end) {
		pieces[count] = maps[last - 1];
		pieces[count].offset += mapping->end - pieces[count].start;
		pieces[count++].start = mapping->end;
	}
	memmove(maps + first + count, maps + last, (space->count - last) * sizeof *maps);
	space->count += first + count - last;
	memcpy(maps + first, pieces, count * sizeof *maps);
}

const struct mapping *address_space_find(const struct address_space *space, uint64_t address)
{
	size_t at = first_after(space, address);

	return at < space->count && space->maps[at].start <= address ? &space->maps[at] : NULL;
}
