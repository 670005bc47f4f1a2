/* texts.c: a pool of texts, in which equal texts are one. */
/* SPDX-License-Identifier: MIT */
#include "base/texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static uint64_t add_word(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

/* Takes eight bytes at a time. */
uint64_t texts_hash(uint64_t hash, const void *bytes, size_t length)
{
	const char *at = bytes;
	uint64_t word;

	for (hash ^= length; length >= sizeof word; at += sizeof word, length -= sizeof word) {
		memcpy(&word, at, sizeof word);
		hash = add_word(hash, word);
	}
	word = 0;
	memcpy(&word, at, length);
	return add_word(hash, word);
}

uint32_t texts_number(struct texts *pool, const char *text)
{
	uint64_t key = texts_hash(0, text, strlen(text));
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
