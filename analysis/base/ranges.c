/* ranges.c: reads lists of whole numbers as users write them. */
/* SPDX-License-Identifier: MIT */
#include "base/ranges.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* One item of the list; a single number is a range to itself. */
struct range {
	long from, to, step;
	int multiplies; /* 1: each number is `step` times the one before */
};

struct numbers {
	int *values;
	size_t count;
};

#define RANGES_TEXT(number)   #number
#define RANGES_STRING(number) RANGES_TEXT(number)

/* What is wrong with a list, or NULL. */
typedef const char *fault;

static fault read_number(const char **text, long *number)
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

/* Passes over `word` where the text goes on with it. */
static int skip(const char **text, const char *word)
{
	if (strncmp(*text, word, strlen(word)))
		return 0;
	*text += strlen(word);
	return 1;
}

static fault read_step(const char **text, struct range *range)
{
	fault wrong;

	if (!skip(text, ":"))
		return NULL;
	range->multiplies = skip(text, "x");
	wrong = read_number(text, &range->step);
	if (!wrong && range->multiplies && range->step < 2)
		wrong = "a range cannot grow by a factor of 1";
	return wrong;
}

static fault read_range(const char **text, struct range *range)
{
	fault wrong = read_number(text, &range->from);

	range->to = range->from;
	range->step = 1;
	range->multiplies = 0;
	if (wrong || !(skip(text, "..") || skip(text, "-")))
		return wrong;
	wrong = read_number(text, &range->to);
	if (!wrong && range->to < range->from)
		wrong = "a range ends below its begin";
	return wrong ? wrong : read_step(text, range);
}

static int has_number(const struct numbers *numbers, long number)
{
	for (size_t i = 0; i < numbers->count; i++)
		if (numbers->values[i] == number)
			return 1;
	return 0;
}

static fault add_range(const struct range *range, struct numbers *numbers)
{
	long next;

	for (long number = range->from; number <= range->to; number = next) {
		next = range->multiplies ? number * range->step : number + range->step;
		if (has_number(numbers, number))
			continue;
		if (numbers->count == RANGES_COUNT_MAX)
			return "there are over " RANGES_STRING(RANGES_COUNT_MAX) " numbers";
		*(int *)memory_add(&numbers->values, &numbers->count, sizeof(int)) = (int)number;
	}
	return NULL;
}

static fault read_list(const char *text, struct numbers *numbers)
{
	fault wrong;

	do {
		struct range range;

		wrong = read_range(&text, &range);
		if (!wrong && *text && *text != ',')
			wrong = "something else follows a number";
		if (!wrong)
			wrong = add_range(&range, numbers);
	} while (!wrong && skip(&text, ","));
	return wrong;
}

int ranges_parse(const char *text, int **values, size_t *count, struct error *err)
{
	struct numbers numbers = {0};
	fault wrong = read_list(text, &numbers);

	*values = wrong ? NULL : numbers.values;
	*count = wrong ? 0 : numbers.count;
	if (!wrong)
		return 0;
	free(numbers.values);
	return error_set(err, "write whole numbers " RANGES_SYNTAX,
			 "cannot take '%s' for a list of numbers: %s", text, wrong);
}
