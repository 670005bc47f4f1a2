/* roofline.c: what a machine can do at most, how close calls come to that, and what holds them
 * back.
 */
/* SPDX-License-Identifier: MIT */
#include "model/roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/human.h"

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

static double *value_at(struct ceilings *ceilings, size_t offset)
{
	return (double *)((char *)ceilings + offset);
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
	EACH_ROW(row, rows, COUNT(rows))
		if (*value_at(&copy, row->offset) > 0)
			say(text, CEILINGS_TEXT_MAX, "%s%s=%.4g", *text ? " " : "", row->name,
			    *value_at(&copy, row->offset));
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
	EACH_ROW(row, rows, COUNT(rows))
		if (strlen(row->name) == (size_t)(equals - word) &&
		    !strncmp(row->name, word, (size_t)(equals - word)))
			*value_at(ceilings, row->offset) = value;
	return 0;
}

int ceilings_parse(const char *text, struct ceilings *ceilings)
{
	const struct ceiling *memory = &ceilings->bytes_per_s[LEVEL_MEMORY];
	int failed = 0;

	memset(ceilings, 0, sizeof *ceilings);
	for (; *(text += strspn(text, " ")); text += strcspn(text, " "))
		failed |= parse_word(text, strcspn(text, " "), ceilings);
	EACH_ROW(peak, ceilings->flops_per_s, PRECISION_COUNT)
		failed |= !(peak->one > 0 && peak->all > 0);
	if (!failed && ceilings->cpus >= 1 && memory->one > 0 && memory->all > 0)
		return 0;
	memset(ceilings, 0, sizeof *ceilings);
	return -1;
}

const char *const bound_names[] = {
	[BOUND_UNKNOWN] = "",
	[BOUND_COMPUTE] = "compute",
	[BOUND_MEMORY] = "memory",
	[BOUND_LATENCY] = "latency",
};

double roofline_rate(const struct ceilings *ceilings, const struct ceiling *ceiling,
		     const struct roofline_call *call)
{
	double at_work = fmin(call->callers * call->each, ceilings->cpus);
	double each = fmin(call->each, at_work);

	return each * ceiling_of_thread(ceilings, ceiling, at_work);
}

struct roofline roofline_call(const struct ceilings *ceilings, const struct roofline_call *call)
{
	struct roofline roofline = {BOUND_UNKNOWN, LEVEL_MEMORY, NAN, NAN, NAN};
	double compute_ns, memory_ns, ideal_ns, start_up_ns;

	if (call->precision == PRECISION_COUNT || !(ceilings->cpus > 0) || !(call->mean_ns > 0) ||
	    !(call->bytes > 0 || call->flops > 0))
		return roofline;
	for (enum level level = LEVEL_MEMORY; level-- > 0;)
		if (call->bytes <= ceilings->cache_bytes[level] &&
		    ceilings->bytes_per_s[level].one > 0)
			roofline.level = level;
	compute_ns = 1e9 * call->flops /
		     roofline_rate(ceilings, &ceilings->flops_per_s[call->precision], call);
	memory_ns = 1e9 * call->bytes /
		    roofline_rate(ceilings, &ceilings->bytes_per_s[roofline.level], call);
	ideal_ns = fmax(compute_ns, memory_ns);
	start_up_ns = fmin(call->least_ns, ROOFLINE_START_UP_NS);
	roofline.intensity = call->bytes > 0 ? call->flops / call->bytes : NAN;
	roofline.ceiling_flops_per_s = 1e9 * call->flops / ideal_ns;
	roofline.share = ideal_ns / call->mean_ns;
	roofline.bound = compute_ns >= memory_ns ? BOUND_COMPUTE : BOUND_MEMORY;
	if (ideal_ns <= call->mean_ns / 2 && start_up_ns >= call->mean_ns / 2)
		roofline.bound = BOUND_LATENCY;
	return roofline;
}
