/* idmap.h: a hash table from 64-bit keys to 32-bit numbers. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_IDMAP_H
#define BASE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

#define IDMAP_NONE UINT32_MAX

struct idmap_slot {
	uint64_t key;
	uint32_t value; /* IDMAP_NONE: the slot is free */
};
struct idmap {
	struct idmap_slot *slots;
	size_t capacity, count; /* capacity is 0 or a power of two */
};

/* Returns the key's number, or IDMAP_NONE. A zeroed struct idmap is an empty table. */
uint32_t idmap_find(const struct idmap *map, uint64_t key);
/* Sets or replaces the key's number, which must not be IDMAP_NONE. */
void idmap_put(struct idmap *map, uint64_t key, uint32_t value);
/* Returns the key's number, which is set to `next` if the key is new. */
uint32_t idmap_number(struct idmap *map, uint64_t key, size_t next);
void idmap_free(struct idmap *map);
/* A table that is freed at the end of its block. */
#define OWN_IDMAP __attribute__((cleanup(idmap_free))) struct idmap

#endif
