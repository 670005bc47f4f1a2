/* places.c: gives numbers to object files and to the code addresses in them. */
/* SPDX-License-Identifier: MIT */
#include "symbols/places.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_OBJECTS = 65535 };

static uint32_t add_object(struct places *places, const char *path, uint64_t inode, uint32_t pid)
{
	size_t count = places->nobjects;
	struct object *grown;
	char *copy;

	if (count >= MAX_OBJECTS)
		return OBJECT_UNKNOWN;
	if (!(count & (count - 1))) {
		grown = reallocarray(places->objects, count ? count * 2 : 1, sizeof *grown);
		if (!grown)
			return OBJECT_UNKNOWN;
		places->objects = grown;
	}
	copy = strdup(path);
	if (!copy)
		return OBJECT_UNKNOWN;
	places->objects[count] = (struct object){.path = copy, .inode = inode, .pid = pid};
	return (uint32_t)places->nobjects++;
}

int places_init(struct places *places)
{
	memset(places, 0, sizeof *places);
	add_object(places, "[kernel]", 0, 0);
	add_object(places, "[unknown]", 0, 0);
	if (places->nobjects == OBJECTS_FIXED)
		return 0;
	places_free(places);
	return -1;
}

void places_free(struct places *places)
{
	for (size_t i = 0; i < places->nobjects; i++)
		free(places->objects[i].path);
	free(places->objects);
	free(places->keys);
	idmap_free(&places->index);
	memset(places, 0, sizeof *places);
}

static uint32_t find_object(struct places *places, const char *path, uint64_t inode, uint32_t pid)
{
	for (size_t i = OBJECTS_FIXED; i < places->nobjects; i++) {
		const struct object *object = &places->objects[i];

		if (object->inode == inode && object->pid == pid && !strcmp(object->path, path))
			return (uint32_t)i;
	}
	return add_object(places, path, inode, pid);
}

uint32_t places_object(struct places *places, const char *path, uint64_t inode)
{
	return find_object(places, path, inode, 0);
}

uint32_t places_memory(struct places *places, const char *path, uint32_t pid)
{
	return find_object(places, path, 0, pid);
}

static uint32_t add_key(struct places *places, uint64_t key)
{
	uint32_t number = (uint32_t)places->nkeys;

	if (places->nkeys == places->keys_room) {
		size_t room = places->keys_room ? places->keys_room * 2 : 256;
		uint64_t *grown = reallocarray(places->keys, room, sizeof *grown);

		if (!grown)
			return IDMAP_NONE;
		places->keys = grown;
		places->keys_room = room;
	}
	if (idmap_put(&places->index, key, number))
		return IDMAP_NONE;
	places->keys[places->nkeys++] = key;
	return number;
}

static uint32_t find_or_add(struct places *places, uint64_t key)
{
	uint32_t number = idmap_find(&places->index, key);

	return number != IDMAP_NONE ? number : add_key(places, key);
}

uint32_t places_any(struct places *places, uint32_t object)
{
	return find_or_add(places, (uint64_t)object << PLACE_OFFSET_BITS | PLACE_OFFSET_ANY);
}

uint32_t places_number(struct places *places, uint32_t object, uint64_t offset)
{
	uint64_t key = (uint64_t)object << PLACE_OFFSET_BITS | (offset & PLACE_OFFSET_ANY);
	uint32_t number = idmap_find(&places->index, key);

	if (number != IDMAP_NONE)
		return number;
	return places->nkeys < PLACES_MAX ? add_key(places, key) : places_any(places, object);
}
