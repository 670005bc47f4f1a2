/* idmap.c: open addressing with linear probing; at most half full. */
/* SPDX-License-Identifier: MIT */
#include "base/idmap.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_CAPACITY = 64 };

/* The key's slot, or the free slot where it would go. */
static struct idmap_slot *find_slot(const struct idmap *map, uint64_t key)
{
	/* Fibonacci hashing: take the highest bits of key * 2^64 / golden ratio. The lower bits
	 * collide for keys in sequence, such as thread numbers. */
	size_t at = (key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - __builtin_ctzll(map->capacity));

	for (;; at++) {
		struct idmap_slot *slot = &map->slots[at & (map->capacity - 1)];

		if (slot->value == IDMAP_NONE || slot->key == key)
			return slot;
	}
}

static void grow(struct idmap *map)
{
	struct idmap old = *map;

	map->capacity = old.capacity ? old.capacity * 2 : FIRST_CAPACITY;
	map->slots = memory_bytes(map->capacity * sizeof *map->slots);
	for (size_t i = 0; i < map->capacity; i++)
		map->slots[i] = (struct idmap_slot){.value = IDMAP_NONE};
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].value != IDMAP_NONE)
			*find_slot(map, old.slots[i].key) = old.slots[i];
	free(old.slots);
}

uint32_t idmap_find(const struct idmap *map, uint64_t key)
{
	return map->capacity ? find_slot(map, key)->value : IDMAP_NONE;
}

void idmap_put(struct idmap *map, uint64_t key, uint32_t value)
{
	struct idmap_slot *slot;

	if (map->count * 2 >= map->capacity)
		grow(map);
	slot = find_slot(map, key);
	map->count += slot->value == IDMAP_NONE;
	*slot = (struct idmap_slot){.key = key, .value = value};
}

uint32_t idmap_number(struct idmap *map, uint64_t key, size_t next)
{
	uint32_t number = idmap_find(map, key);

	if (number != IDMAP_NONE)
		return number;
	idmap_put(map, key, (uint32_t)next);
	return (uint32_t)next;
}

void idmap_free(struct idmap *map)
{
	free(map->slots);
	memset(map, 0, sizeof *map);
}
