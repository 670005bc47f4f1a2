/* human.c: numbers as people read them. */
/* SPDX-License-Identifier: MIT */
#include "base/human.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct scale {
	double factor;
	const char *unit;
};

/* Decimals that leave three digits. */
static int decimals(double value)
{
	value = fabs(value);
	return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

/* The scales are in falling order; the first that the value reaches, rounded, is taken. */
static const char *scaled(double value, const struct scale *scale, char text[HUMAN_MAX])
{
	while (scale[1].unit && fabs(value) < 0.9995 * scale->factor)
		scale++;
	value /= scale->factor;
	if (fabs(value) >= 1e6)
		snprintf(text, HUMAN_MAX, "%.2e%s", value, scale->unit);
	else
		snprintf(text, HUMAN_MAX, "%.*f%s", decimals(value), value, scale->unit);
	return text;
}

static const char *nothing(char text[HUMAN_MAX])
{
	snprintf(text, HUMAN_MAX, "-");
	return text;
}

const char *human_time(double ns, char text[HUMAN_MAX])
{
	static const struct scale scales[] = {
		{1e9, " s"}, {1e6, " ms"}, {1e3, " us"}, {1, " ns"}, {0, NULL}};

	if (!isfinite(ns))
		return nothing(text);
	return ns == 0 ? (snprintf(text, HUMAN_MAX, "0"), text) : scaled(ns, scales, text);
}

const char *human_count(double count, char text[HUMAN_MAX])
{
	static const struct scale scales[] = {{1e18, " E"}, {1e15, " P"}, {1e12, " T"}, {1e9, " G"},
					      {1e6, " M"},  {1e3, " k"},  {1, ""},	{0, NULL}};

	if (!isfinite(count))
		return nothing(text);
	if (count == floor(count) && fabs(count) < 1e5) {
		snprintf(text, HUMAN_MAX, "%.0f", count);
		return text;
	}
	return scaled(count, scales, text);
}

const char *human_share(double share, char text[HUMAN_MAX])
{
	if (!isfinite(share))
		return nothing(text);
	snprintf(text, HUMAN_MAX, "%.1f", 100 * share);
	return text;
}

const char *human_number(double value, char text[HUMAN_MAX])
{
	if (!isfinite(value))
		return nothing(text);
	snprintf(text, HUMAN_MAX, "%.2f", fabs(value) < 0.005 ? 0 : value);
	return text;
}

const char *human_figures(double value, char text[HUMAN_MAX])
{
	static const struct scale plain[] = {{1, ""}, {0, NULL}};

	return isfinite(value) ? scaled(value, plain, text) : nothing(text);
}

const char *human_error(double ratio, char text[HUMAN_MAX])
{
	if (!isfinite(ratio))
		return nothing(text);
	snprintf(text, HUMAN_MAX, fabs(ratio) < 0.005 ? "0%%" : "%+.0f%%", 100 * ratio);
	return text;
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
