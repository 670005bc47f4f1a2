/* nearest.c: finds the names with the least edit distance to a wanted one. */
/* SPDX-License-Identifier: MIT */
#include "base/nearest.h"

#include "base/human.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b) ||
	       (strchr("-_", a) && strchr("-_", b));
}

/* Levenshtein distance, without regard to case, of names cut to NEAREST_NAME_BYTES - 1. */
static int name_distance(const char *a, const char *b)
{
	int row[NEAREST_NAME_BYTES];
	int length = (int)strnlen(b, NEAREST_NAME_BYTES - 1);

	for (int j = 0; j <= length; j++)
		row[j] = j;
	for (int i = 0; i < NEAREST_NAME_BYTES - 1 && a[i]; i++) {
		int diagonal = row[0];

		row[0] = i + 1;
		for (int j = 0; j < length; j++) {
			int replaced = diagonal + !same_letter(a[i], b[j]);
			int other = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;

			diagonal = row[j + 1];
			row[j + 1] = replaced < other ? replaced : other;
		}
	}
	return row[length];
}

void nearest_offer(struct nearest *nearest, const char *name)
{
	int distance = name_distance(nearest->wanted, name);
	int at = nearest->count;

	for (int i = 0; i < nearest->count; i++)
		if (!strcmp(nearest->names[i], name))
			return;
	SAY(nearest->all, "%s%s", *nearest->all ? ", " : "", name);
	while (at > 0 && distance < nearest->distances[at - 1])
		at--;
	if (at == NEAREST_NAMES)
		return;
	if (nearest->count < NEAREST_NAMES)
		nearest->count++;
	for (int i = nearest->count - 1; i > at; i--) {
		nearest->distances[i] = nearest->distances[i - 1];
		memcpy(nearest->names[i], nearest->names[i - 1], NEAREST_NAME_BYTES);
	}
	nearest->distances[at] = distance;
	snprintf(nearest->names[at], NEAREST_NAME_BYTES, "%s", name);
}

void nearest_list(const struct nearest *nearest, const char *between, char *text, size_t size)
{
	text[0] = '\0';
	for (int i = 0; i < nearest->count; i++)
		say(text, size, "%s%s", i ? between : "", nearest->names[i]);
}

const char *nearest_all(const struct nearest *nearest)
{
	int is_near = 3 * (size_t)nearest->distances[0] <= 2 * strlen(nearest->wanted);

	return is_near || strlen(nearest->all) == sizeof nearest->all - 1 ? NULL : nearest->all;
}

const void *nearest_find(const void *rows, size_t count, size_t size, const char *name,
			 const char *what, struct error *err)
{
	struct nearest nearest = {.wanted = name};
	char names[300], remedy[340];
	const char *all;

	for (size_t i = 0; i < count; i++) {
		const void *row = (const char *)rows + i * size;

		if (!name || !strcmp(*(const char *const *)row, name))
			return row;
		nearest_offer(&nearest, *(const char *const *)row);
	}
	nearest_list(&nearest, ", ", names, sizeof names);
	all = nearest_all(&nearest);
	snprintf(remedy, sizeof remedy, "%s %s", all ? "there are" : "the nearest are",
		 all ? all : names);
	error_set(err, remedy, "there is no %s '%s'", what, name);
	return NULL;
}
