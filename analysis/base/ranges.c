/* ranges.c: parses lists of whole numbers. */
/* SPDX-License-Identifier: MIT */
#include "base/ranges.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

/* One item of the list; a single number is a range with from == to. */
struct range {
	long from, to, step;
	int multiplies; /* 1: each number is `step` times the one before */
};

#define RANGES_TEXT(number)   #number
#define RANGES_STRING(number) RANGES_TEXT(number)

/* The parsing functions return what is wrong with the text, or NULL. */

static const char *read_number(const char **text, long *number)
{
	*number = 0;
	if (!isdigit((unsigned char)**text))
		return "a whole number is missing";
	while (isdigit((unsigned char)**text)) {
		*number = *number * 10 + (*(*text)++ - '0');
		if (*number > RANGES_VALUE_MAX)
			return "a number is over " RANGES_STRING(RANGES_VALUE_MAX);
	}
	return *number ? NULL : "the numbers begin at 1";
}

/* Skips `word` if the text continues with it. Returns 1 if so. */
static int skip(const char **text, const char *word)
{
	if (strncmp(*text, word, strlen(word)))
		return 0;
	*text += strlen(word);
	return 1;
}

static const char *read_range(const char **text, struct range *range)
{
	const char *wrong = read_number(text, &range->from);

	*range = (struct range){.from = range->from, .to = range->from, .step = 1};
	if (wrong || !(skip(text, "..") || skip(text, "-")))
		return wrong;
	wrong = read_number(text, &range->to);
	if (!wrong && range->to < range->from)
		wrong = "a range ends below its beginning";
	if (wrong || !skip(text, ":"))
		return wrong;
	range->multiplies = skip(text, "x");
	wrong = read_number(text, &range->step);
	if (!wrong && range->multiplies && range->step < 2)
		wrong = "a range cannot grow by a factor of 1";
	return wrong;
}

static const char *add_range(const struct range *range, int **values, size_t *count)
{
	long next;

	for (long number = range->from; number <= range->to; number = next) {
		size_t i = 0;

		next = range->multiplies ? number * range->step : number + range->step;
		while (i < *count && (*values)[i] != number)
			i++;
		if (i < *count)
			continue;
		if (*count == RANGES_COUNT_MAX)
			return "there are over " RANGES_STRING(RANGES_COUNT_MAX) " numbers";
		*(int *)memory_add(values, count, sizeof(int)) = (int)number;
	}
	return NULL;
}

int ranges_parse(const char *text, int **values, size_t *count, struct error *err)
{
	const char *whole = text, *wrong;

	*values = NULL;
	*count = 0;
	do {
		struct range range;

		wrong = read_range(&text, &range);
		if (!wrong && *text && *text != ',')
			wrong = "something else follows a number";
		if (!wrong)
			wrong = add_range(&range, values, count);
	} while (!wrong && skip(&text, ","));
	if (!wrong)
		return 0;
	array_free(values, count);
	return error_set(err, "write whole numbers " RANGES_SYNTAX,
			 "cannot read '%s' as a list of numbers: %s", whole, wrong);
}
