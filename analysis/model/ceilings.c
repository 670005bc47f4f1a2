/* ceilings.c: a machine's ceilings as text and back, and the share of one thread. */
/* SPDX-License-Identifier: MIT */
#include "model/ceilings.h"

#include "base/human.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const precision_names[PRECISION_COUNT] = {"single", "double"};
const char *const level_names[LEVEL_COUNT] = {"L1", "L2", "L3", "memory"};

#define ROW(name, member)                                                                          \
	{                                                                                          \
		name, offsetof(struct ceilings, member)                                            \
	}
#define PAIR(name, member) ROW(name "_1", member.one), ROW(name "_all", member.all)

static const struct {
	const char *name;
	size_t offset;
} rows[] = {
	ROW("cpus", cpus),
	PAIR("peak_single", flops_per_s[PRECISION_SINGLE]),
	PAIR("peak_double", flops_per_s[PRECISION_DOUBLE]),
	PAIR("l1", bytes_per_s[LEVEL_L1]),
	PAIR("l2", bytes_per_s[LEVEL_L2]),
	PAIR("l3", bytes_per_s[LEVEL_L3]),
	PAIR("memory", bytes_per_s[LEVEL_MEMORY]),
	ROW("l1_bytes", cache_bytes[LEVEL_L1]),
	ROW("l2_bytes", cache_bytes[LEVEL_L2]),
	ROW("l3_bytes", cache_bytes[LEVEL_L3]),
};
#define ROWS COUNT(rows)

static double *value_at(struct ceilings *ceilings, size_t row)
{
	return (double *)((char *)ceilings + rows[row].offset);
}

double ceiling_of_thread(const struct ceilings *ceilings, const struct ceiling *ceiling,
			 double threads)
{
	double others = ceilings->cpus - 1;

	threads = fmax(1, fmin(threads, ceilings->cpus));
	if (others < 1)
		return ceiling->one;
	return (ceiling->one + (ceiling->all - ceiling->one) * (threads - 1) / others) / threads;
}

const char *ceilings_text(const struct ceilings *ceilings, char text[CEILINGS_TEXT_MAX])
{
	struct ceilings copy = *ceilings;

	*text = '\0';
	for (size_t i = 0; i < ROWS; i++)
		if (*value_at(&copy, i) > 0)
			say(text, CEILINGS_TEXT_MAX, "%s%s=%.4g", *text ? " " : "", rows[i].name,
			    *value_at(&copy, i));
	return text;
}

/* Parses a word "name=number" of `length` characters. Returns 0, or -1 if it is malformed. */
static int parse_word(const char *word, size_t length, struct ceilings *ceilings)
{
	const char *equals = memchr(word, '=', length);
	char *end;
	double value;

	if (!equals)
		return -1;
	value = strtod(equals + 1, &end);
	if (end != word + length || !isfinite(value) || value <= 0)
		return -1;
	for (size_t i = 0; i < ROWS; i++)
		if (strlen(rows[i].name) == (size_t)(equals - word) &&
		    !strncmp(rows[i].name, word, (size_t)(equals - word)))
			*value_at(ceilings, i) = value;
	return 0;
}

static int are_whole(const struct ceilings *ceilings)
{
	const struct ceiling *memory = &ceilings->bytes_per_s[LEVEL_MEMORY];

	for (int i = 0; i < PRECISION_COUNT; i++)
		if (!(ceilings->flops_per_s[i].one > 0 && ceilings->flops_per_s[i].all > 0))
			return 0;
	return ceilings->cpus >= 1 && memory->one > 0 && memory->all > 0;
}

int ceilings_parse(const char *text, struct ceilings *ceilings)
{
	memset(ceilings, 0, sizeof *ceilings);
	while (*(text += strspn(text, " "))) {
		size_t length = strcspn(text, " ");

		if (parse_word(text, length, ceilings))
			goto none;
		text += length;
	}
	if (are_whole(ceilings))
		return 0;
none:
	memset(ceilings, 0, sizeof *ceilings);
	return -1;
}
