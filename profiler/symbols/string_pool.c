/* string_pool.c: finds strings by their hash; where two have the same, the next number is tried. */
/* SPDX-License-Identifier: MIT */
#include "symbols/string_pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

const char *string_pool_add(struct string_pool *pool, const char *string)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a: Fowler, Noll, Vo */
	uint32_t number;
	char **row;

	if (!string)
		return NULL;
	for (const char *at = string; *at; at++)
		hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
	for (; (number = idmap_find(&pool->index, hash)) != IDMAP_NONE; hash++)
		if (!strcmp(pool->strings[number], string))
			return pool->strings[number];
	row = array_add(&pool->strings, &pool->count, sizeof *row);
	if (!row)
		return NULL;
	*row = strdup(string);
	if (*row && !idmap_put(&pool->index, hash, (uint32_t)(pool->count - 1)))
		return *row;
	free(*row);
	pool->count--;
	return NULL;
}

void string_pool_free(struct string_pool *pool)
{
	for (size_t i = 0; i < pool->count; i++)
		free(pool->strings[i]);
	free(pool->strings);
	idmap_free(&pool->index);
	memset(pool, 0, sizeof *pool);
}
