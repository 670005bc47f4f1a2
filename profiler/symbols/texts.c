/* texts.c: finds texts by their hash; where two have the same, the next number is tried. */
/* SPDX-License-Identifier: MIT */
#include "symbols/texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* FNV-1a, 64 bits: Fowler, Noll, Vo. */
static uint64_t hash_text(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash;
}

static const char *add_text(struct texts *texts, uint64_t hash, const char *text)
{
	char *copy = strdup(text);
	char **row = copy ? array_add(&texts->texts, &texts->count, sizeof *row) : NULL;

	if (!row) {
		free(copy);
		return NULL;
	}
	*row = copy;
	if (!idmap_put(&texts->index, hash, (uint32_t)(texts->count - 1)))
		return copy;
	texts->count--;
	free(copy);
	return NULL;
}

const char *texts_keep(struct texts *texts, const char *text)
{
	uint64_t hash = text ? hash_text(text) : 0;
	uint32_t number;

	if (!text)
		return NULL;
	while ((number = idmap_find(&texts->index, hash)) != IDMAP_NONE) {
		if (!strcmp(texts->texts[number], text))
			return texts->texts[number];
		hash++;
	}
	return add_text(texts, hash, text);
}

void texts_free(struct texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		free(texts->texts[i]);
	free(texts->texts);
	idmap_free(&texts->index);
	memset(texts, 0, sizeof *texts);
}
