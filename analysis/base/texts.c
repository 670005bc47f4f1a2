/* texts.c: a pool of texts, in which equal texts are one. */
/* SPDX-License-Identifier: MIT */
#include "base/texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Hashes eight bytes at a time. */
static uint64_t hash(const char *text)
{
	size_t length = strlen(text);
	uint64_t hash = length, word = 0;

	for (; length >= sizeof word; text += sizeof word, length -= sizeof word) {
		memcpy(&word, text, sizeof word);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	word = 0;
	memcpy(&word, text, length);
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

uint32_t texts_number(struct texts *pool, const char *text)
{
	uint64_t key = hash(text);
	uint32_t number;

	for (; (number = idmap_find(&pool->numbers, key)) != IDMAP_NONE; key++)
		if (!strcmp(pool->texts[number], text))
			return number;
	number = (uint32_t)pool->count;
	idmap_put(&pool->numbers, key, number);
	*(char **)memory_add(&pool->texts, &pool->count, sizeof *pool->texts) = memory_text(text);
	return number;
}

void texts_free(struct texts *pool)
{
	for (size_t i = 0; i < pool->count; i++)
		free(pool->texts[i]);
	free(pool->texts);
	idmap_free(&pool->numbers);
	memset(pool, 0, sizeof *pool);
}
