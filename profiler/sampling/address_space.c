/* address_space.c: keeps a process's executable mappings sorted, and copies them on write. */
/* SPDX-License-Identifier: MIT */
#include "sampling/address_space.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

struct address_space {
	unsigned references;
	size_t count, room;
	struct mapping *maps;
};

struct address_space *address_space_new(void)
{
	struct address_space *space = memory_rows(1, sizeof *space);

	space->references = 1;
	return space;
}

struct address_space *address_space_share(struct address_space *space)
{
	space->references++;
	return space;
}

void address_space_release(struct address_space *space)
{
	if (!space || --space->references)
		return;
	free(space->maps);
	free(space);
}

/* The first mapping that ends after the address. */
static size_t first_after(const struct address_space *space, uint64_t address)
{
	return ARRAY_BOUND(space->count, i, space->maps[i].end <= address);
}

/* Makes *space the caller's alone, with room for two more mappings. */
static void make_writable(struct address_space **space)
{
	struct address_space *old = *space, *own = old;
	size_t room = old->room ? old->room : 16;

	while (room < old->count + 2)
		room *= 2;
	if (old->references > 1)
		own = address_space_new();
	else if (room == old->room)
		return;
	own->maps = memory_need(reallocarray(own->maps, room, sizeof *own->maps));
	own->room = room;
	if (own != old) {
		if (old->count)
			memcpy(own->maps, old->maps, old->count * sizeof *own->maps);
		own->count = old->count;
		address_space_release(old);
		*space = own;
	}
}

void address_space_map(struct address_space **space, const struct mapping *mapping)
{
	struct mapping pieces[3]; /* what is left before, the new one, what is left after */
	size_t first, last, count = 0;
	struct mapping *maps;

	if (mapping->start >= mapping->end)
		return;
	make_writable(space);
	maps = (*space)->maps;
	first = last = first_after(*space, mapping->start);
	while (last < (*space)->count && maps[last].start < mapping->end)
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
	memmove(maps + first + count, maps + last, ((*space)->count - last) * sizeof *maps);
	(*space)->count += first + count - last;
	memcpy(maps + first, pieces, count * sizeof *maps);
}

const struct mapping *address_space_find(const struct address_space *space, uint64_t address)
{
	size_t at = first_after(space, address);

	return at < space->count && space->maps[at].start <= address ? &space->maps[at] : NULL;
}
