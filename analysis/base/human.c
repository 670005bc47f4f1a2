/* human.c: formats numbers for people. */
/* SPDX-License-Identifier: MIT */
#include "base/human.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/string_pool.h"

struct scale {
	double factor;
	const char *unit;
};

#define FORMAT(value, ...) (isfinite(value) ? string_printf(__VA_ARGS__) : "-")

/* Formats the value with three digits in the largest unit that it reaches after rounding. The
 * scales are in descending order. */
static const char *scaled(double value, const struct scale *scale)
{
	double size;

	while (scale[1].unit && fabs(value) < 0.9995 * scale->factor)
		scale++;
	value /= scale->factor;
	size = fabs(value);
	if (size >= 1e6)
		return FORMAT(value, "%.2e%s", value, scale->unit);
	return FORMAT(value, "%.*f%s", size < 9.995 ? 2 : size < 99.95 ? 1 : 0, value, scale->unit);
}

const char *human_time(double ns)
{
	static const struct scale scales[] = {
		{1e9, " s"}, {1e6, " ms"}, {1e3, " us"}, {1, " ns"}, {0, NULL}};

	return ns == 0 ? "0" : scaled(ns, scales);
}

const char *human_count(double count)
{
	static const struct scale scales[] = {{1e18, " E"}, {1e15, " P"}, {1e12, " T"}, {1e9, " G"},
					      {1e6, " M"},  {1e3, " k"},  {1, ""},	{0, NULL}};

	if (count == floor(count) && fabs(count) < 1e5)
		return FORMAT(count, "%.0f", count);
	return scaled(count, scales);
}

const char *human_share(double share)
{
	return FORMAT(share, "%.1f", 100 * share);
}

const char *human_number(double value)
{
	return FORMAT(value, "%.2f", fabs(value) < 0.005 ? 0 : value);
}

const char *human_figures(double value)
{
	static const struct scale plain[] = {{1, ""}, {0, NULL}};

	return scaled(value, plain);
}

const char *human_error(double ratio)
{
	return FORMAT(ratio, fabs(ratio) < 0.005 ? "0%%" : "%+.0f%%", 100 * ratio);
}

const char *human_noun(double count, const char *noun)
{
	/* a damaged store may hold any number */
	int is_whole = count == floor(count) && fabs(count) < 1e15;

	return string_printf(is_whole ? "%.0f %s%s" : "%g %s%s", count, noun, plural(count));
}

const char *human_ending(int status, int signal)
{
	return signal ? string_printf("was ended by signal %d (%s)", signal, strsignal(signal))
		      : string_printf("ended with status %d", status);
}

const char *human_word(const char *word)
{
	char *quoted, *end;
	const char *pooled;

	if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					"0123456789_-+=./:,@%{}")])
		return string_pooled(word);
	quoted = memory_rows(4 * strlen(word) + 3, 1);
	end = stpcpy(quoted, "'");
	for (; *word; word++)
		end = stpcpy(end, *word == '\'' ? "'\\''" : (char[]){*word, '\0'});
	stpcpy(end, "'");
	pooled = string_pooled(quoted);
	free(quoted);
	return pooled;
}

const char *plural(double count)
{
	return count == 1 ? "" : "s";
}

void say(char *text, size_t size, const char *fmt, ...)
{
	size_t length = strlen(text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text + length, size - length, fmt, args);
	va_end(args);
}
