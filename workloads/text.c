/* text.c: reads or generates the text, and numbers its characters. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "text.h"

enum { BYTE_VALUES = 256, READ_STEP_BYTES = 1 << 16 };

/* A sentence has one word of each column; empty words let it skip a column. */
static const char *const words[][8] = {
	{"the ", "a ", "every ", "one ", "no ", "this ", "my ", "her "},
	{"small ", "red ", "old ", "quick ", "lazy ", "", "", ""},
	{"fox ", "dog ", "bird ", "queen ", "miller ", "child ", "horse ", "river "},
	{"sees ", "finds ", "wants ", "follows ", "jumps over ", "keeps ", "loves ", "hears "},
	{"the ", "a ", "his ", "that ", "some ", "every ", "my ", "one "},
	{"house", "garden", "stone", "box", "song", "tree", "moon", "view"},
	{" at night", " in the rain", " by day", " again", "", "", "", ""},
};
#define COLUMNS (sizeof(words) / sizeof(*words))

/* Replaces bytes by their rank among the bytes that occur. */
static void text_number(struct text *text)
{
	bool occurs[BYTE_VALUES] = {false};
	uint8_t number[BYTE_VALUES];

	for (size_t i = 0; i < text->length; i++)
		occurs[text->tokens[i]] = true;
	text->vocabulary = 0;
	for (int byte = 0; byte < BYTE_VALUES; byte++)
		if (occurs[byte])
			number[byte] = (uint8_t)text->vocabulary++;
	for (size_t i = 0; i < text->length; i++)
		text->tokens[i] = number[text->tokens[i]];
}

/* Reads the whole stream. Returns -1 with errno on failure. */
static int read_all(struct text *text, FILE *file)
{
	size_t capacity = 0, got;

	do {
		if (text->length == capacity) {
			uint8_t *larger = realloc(text->tokens, capacity * 2 + READ_STEP_BYTES);

			if (!larger)
				return -1;
			text->tokens = larger;
			capacity = capacity * 2 + READ_STEP_BYTES;
		}
		got = fread(text->tokens + text->length, 1, capacity - text->length, file);
		text->length += got;
	} while (got);
	return ferror(file) ? -1 : 0;
}

int text_read(struct text *text, const char *path, size_t needed, struct failure *failure)
{
	FILE *file = fopen(path, "rb");
	int result = -1;

	memset(text, 0, sizeof(*text));
	if (!file)
		return failure_set(failure, EXIT_USAGE, "cannot open text '%s': %s", path,
				   strerror(errno));
	if (read_all(text, file))
		failure_set(failure, EXIT_USAGE, "cannot read text '%s': %s", path,
			    strerror(errno));
	else if (text->length == 0)
		failure_set(failure, EXIT_USAGE, "text '%s' is empty", path);
	else if (text->length < needed)
		failure_set(failure, EXIT_USAGE,
			    "text '%s' has %zu characters; this sequence needs %zu or more", path,
			    text->length, needed);
	else
		result = 0;
	fclose(file);
	if (result)
		text_free(text);
	else
		text_number(text);
	return result;
}

/* Writes one sentence and returns its end. */
static uint8_t *write_sentence(uint8_t *at, uint64_t *state)
{
	for (size_t c = 0; c < COLUMNS; c++) {
		const char *word = words[c][random_below(state, 8)];
		size_t length = strlen(word);

		memcpy(at, word, length);
		at += length;
	}
	memcpy(at, ".\n", 2);
	return at + 2;
}

int text_generate(struct text *text, size_t length, uint64_t seed, struct failure *failure)
{
	const size_t longest_sentence = COLUMNS * 16;
	uint64_t state = seed;
	uint8_t *at;

	memset(text, 0, sizeof(*text));
	text->tokens = at = malloc(length + longest_sentence);
	if (!at)
		return failure_set(failure, EXIT_FAILED, "no memory for the text");
	while (at < text->tokens + length)
		at = write_sentence(at, &state);
	text->length = (size_t)(at - text->tokens);
	text_number(text);
	return 0;
}

const uint8_t *text_sample(const struct text *text, size_t needed, uint64_t seed, long step)
{
	uint64_t state = seed, mixed;

	mixed = random_next(&state) + (uint64_t)step;
	return text->tokens + random_below(&mixed, text->length - needed + 1);
}

void text_free(struct text *text)
{
	free(text->tokens);
	memset(text, 0, sizeof(*text));
}
