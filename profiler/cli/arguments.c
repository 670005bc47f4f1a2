/* arguments.c: fills the placeholders in a command's words. */
/* SPDX-License-Identifier: MIT */
#include "cli/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int arguments_have(char *const arguments[], const char *placeholder)
{
	for (size_t i = 0; arguments[i]; i++)
		if (strstr(arguments[i], placeholder))
			return 1;
	return 0;
}

static char *fill_word(const char *word, const char *placeholder, const char *value)
{
	char *text = NULL;
	const char *place;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	while (placeholder && (place = strstr(word, placeholder))) {
		fprintf(out, "%.*s%s", (int)(place - word), word, value);
		word = place + strlen(placeholder);
	}
	fputs(word, out);
	return fclose(out) ? NULL : text;
}

char **arguments_fill(char *const arguments[], const char *placeholder, const char *value)
{
	size_t count = 0;
	char **filled;

	while (arguments[count])
		count++;
	filled = calloc(count + 1, sizeof *filled);
	for (size_t i = 0; filled && i < count; i++) {
		filled[i] = fill_word(arguments[i], placeholder, value);
		if (!filled[i]) {
			arguments_free(filled);
			return NULL;
		}
	}
	return filled;
}

char **arguments_copy(char *const arguments[])
{
	return arguments_fill(arguments, NULL, NULL);
}

void arguments_free(char **arguments)
{
	for (size_t i = 0; arguments && arguments[i]; i++)
		free(arguments[i]);
	free(arguments);
}
