/* address_table.c: numbers object files and the code addresses in them. */
/* SPDX-License-Identifier: MIT */
#include "symbols/address_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { OBJECTS_MAX = 65535 };

static uint32_t find_object(struct address_table *table, const char *path, uint64_t inode,
			    uint32_t pid)
{
	struct object *object;

	for (size_t i = OBJECTS_FIXED; i < table->nobjects; i++) {
		object = &table->objects[i];
		if (object->inode == inode && object->pid == pid && !strcmp(object->path, path))
			return (uint32_t)i;
	}
	if (table->nobjects >= OBJECTS_MAX ||
	    !(object = array_add(&table->objects, &table->nobjects, sizeof *object)))
		return OBJECT_UNKNOWN;
	*object = (struct object){strdup(path), inode, pid};
	if (object->path)
		return (uint32_t)(table->nobjects - 1);
	table->nobjects--;
	return OBJECT_UNKNOWN;
}

int address_table_init(struct address_table *table)
{
	memset(table, 0, sizeof *table);
	find_object(table, "[kernel]", 0, 0);
	find_object(table, "[unknown]", 0, 0);
	if (table->nobjects == OBJECTS_FIXED)
		return 0;
	address_table_free(table);
	return -1;
}

void address_table_free(struct address_table *table)
{
	for (size_t i = 0; i < table->nobjects; i++)
		free(table->objects[i].path);
	free(table->objects);
	free(table->keys);
	idmap_free(&table->index);
	memset(table, 0, sizeof *table);
}

uint32_t address_table_object(struct address_table *table, const char *path, uint64_t inode)
{
	return find_object(table, path, inode, 0);
}

uint32_t address_table_memory(struct address_table *table, const char *path, uint32_t pid)
{
	return find_object(table, path, 0, pid);
}

static uint32_t find_or_add(struct address_table *table, uint64_t key)
{
	uint32_t number = idmap_find(&table->index, key);
	uint64_t *row;

	if (number != IDMAP_NONE)
		return number;
	row = array_add(&table->keys, &table->nkeys, sizeof *row);
	if (!row)
		return IDMAP_NONE;
	*row = key;
	number = (uint32_t)(table->nkeys - 1);
	if (!idmap_put(&table->index, key, number))
		return number;
	table->nkeys--;
	return IDMAP_NONE;
}

uint32_t address_table_any(struct address_table *table, uint32_t object)
{
	return find_or_add(table, address_key(object, ADDRESS_OFFSET_ANY));
}

uint32_t address_table_number(struct address_table *table, uint32_t object, uint64_t offset)
{
	uint64_t key = address_key(object, offset);

	if (table->nkeys >= ADDRESSES_MAX && idmap_find(&table->index, key) == IDMAP_NONE)
		return address_table_any(table, object);
	return find_or_add(table, key);
}
