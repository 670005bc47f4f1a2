/* spaces.c: keeps a process's executable mappings sorted, and copies them only when it must. */
/* SPDX-License-Identifier: MIT */
#include "sampling/spaces.h"

#include <stdlib.h>
#include <string.h>

struct space {
	unsigned holders;
	size_t count, room;
	struct mapping *maps;
};

struct space *space_new(void)
{
	struct space *space = calloc(1, sizeof *space);

	if (space)
		space->holders = 1;
	return space;
}

struct space *space_share(struct space *space)
{
	space->holders++;
	return space;
}

void space_release(struct space *space)
{
	if (!space || --space->holders)
		return;
	free(space->maps);
	free(space);
}

/* Room for `more` further mappings. */
static int reserve(struct space *space, size_t more)
{
	size_t room = space->room ? space->room : 16;
	struct mapping *grown;

	while (room < space->count + more)
		room *= 2;
	if (room == space->room)
		return 0;
	grown = reallocarray(space->maps, room, sizeof *grown);
	if (!grown)
		return -1;
	space->maps = grown;
	space->room = room;
	return 0;
}

static int make_own(struct space **space)
{
	struct space *copy;

	if ((*space)->holders == 1)
		return 0;
	copy = space_new();
	if (!copy || reserve(copy, (*space)->count)) {
		space_release(copy);
		return -1;
	}
	if ((*space)->count)
		memcpy(copy->maps, (*space)->maps, (*space)->count * sizeof *copy->maps);
	copy->count = (*space)->count;
	space_release(*space);
	*space = copy;
	return 0;
}

/* The first mapping that ends after the address. */
static size_t first_after(const struct space *space, uint64_t address)
{
	size_t low = 0, high = space->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (space->maps[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void move_tail(struct space *space, size_t from, size_t to)
{
	memmove(space->maps + to, space->maps + from, (space->count - from) * sizeof *space->maps);
	space->count = space->count + to - from;
}

static struct mapping cut_front(struct mapping map, uint64_t start)
{
	map.offset += start - map.start;
	map.start = start;
	return map;
}

int space_map(struct space **space, const struct mapping *mapping)
{
	struct mapping pieces[3]; /* what is left before, the new one, what is left after */
	size_t first, last, count = 0;
	struct mapping *maps;

	if (mapping->start >= mapping->end)
		return 0;
	if (make_own(space) || reserve(*space, 2))
		return -1;
	maps = (*space)->maps;
	first = last = first_after(*space, mapping->start);
	while (last < (*space)->count && maps[last].start < mapping->end)
		last++;
	if (last > first && maps[first].start < mapping->start) {
		pieces[count] = maps[first];
		pieces[count++].end = mapping->start;
	}
	pieces[count++] = *mapping;
	if (last > first && maps[last - 1].end > mapping->end)
		pieces[count++] = cut_front(maps[last - 1], mapping->end);
	move_tail(*space, last, first + count);
	memcpy(maps + first, pieces, count * sizeof *maps);
	return 0;
}

const struct mapping *space_find(const struct space *space, uint64_t address)
{
	size_t at = first_after(space, address);

	if (at == space->count || space->maps[at].start > address)
		return NULL;
	return &space->maps[at];
}
