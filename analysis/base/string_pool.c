/* string_pool.c: one copy of each string, which lives as long as the process. */
/* SPDX-License-Identifier: MIT */
#include "base/string_pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/memory.h"

static struct idmap numbers; /* from hashes */
static char **strings;	     /* by their numbers */
static size_t count;

/* Takes eight bytes at a time. */
uint64_t string_hash(const char *text, size_t length)
{
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

uint32_t string_number(const char *text)
{
	uint64_t key = string_hash(text, strlen(text));
	uint32_t number;

	for (; (number = idmap_find(&numbers, key)) != IDMAP_NONE; key++)
		if (!strcmp(strings[number], text))
			return number;
	number = (uint32_t)count;
	idmap_put(&numbers, key, number);
	*(char **)memory_add(&strings, &count, sizeof *strings) = memory_text(text);
	return number;
}

const char *string_pooled(const char *text)
{
	uint32_t number = string_number(text ? text : ""); /* first: it may move strings[] */

	return strings[number];
}

const char *string_printf(const char *fmt, ...)
{
	const char *pooled;
	va_list args;
	char *text;

	va_start(args, fmt);
	memory_check(vasprintf(&text, fmt, args) < 0);
	va_end(args);
	pooled = string_pooled(text);
	free(text);
	return pooled;
}
