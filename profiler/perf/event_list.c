/* event_list.c: parses the text of -e; the named sets of events; energy events. */
/* SPDX-License-Identifier: MIT */
#include "perf/event_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/machine_files.h"

/* clang-format off */
static const struct event_choice cache[] = {
	{{"L1-DCACHE-LOADS", "L1D_CACHE"}, 0},
	{{"L1-DCACHE-LOAD-MISSES", "L1D_CACHE_REFILL"}, 0},
	{{"CACHE-REFERENCES", "LLC-LOADS", "L2D_CACHE"}, 0},
	{{"CACHE-MISSES", "LLC-LOAD-MISSES", "L2D_CACHE_REFILL"}, 0},
};

static const struct event_choice branch[] = {
	{{"BRANCHES", "BR_RETIRED"}, 0},
	{{"BRANCH-MISSES", "BR_MIS_PRED_RETIRED"}, 0},
};

static const struct event_choice tlb[] = {
	{{"DTLB-LOADS", "L1D_TLB"}, 0},
	{{"DTLB-LOAD-MISSES", "L1D_TLB_REFILL"}, 0},
	{{"ITLB-LOAD-MISSES", "L1I_TLB_REFILL"}, 0},
};

/* Intel counts an instruction once and a fused multiply-add twice, so that the vector's length is the
 * factor; AMD counts operations. Arm counts instructions, of unknown length. */
static const struct event_choice flops[] = {
	{{"FP_ARITH:SCALAR_SINGLE", "RETIRED_SSE_AVX_FLOPS:ANY", "VFP_SPEC"}, 1},
	{{"FP_ARITH:SCALAR_DOUBLE", "ASE_SPEC"}, 1},
	{{"FP_ARITH:128B_PACKED_SINGLE"}, 4},
	{{"FP_ARITH:128B_PACKED_DOUBLE"}, 2},
	{{"FP_ARITH:256B_PACKED_SINGLE"}, 8},
	{{"FP_ARITH:256B_PACKED_DOUBLE"}, 4},
	{{"FP_ARITH:512B_PACKED_SINGLE"}, 16},
	{{"FP_ARITH:512B_PACKED_DOUBLE"}, 8},
};

#define SET(name, says) {#name, says, name, sizeof name / sizeof *name}
const struct event_set event_sets[] = {
	SET(cache, "loads and misses of the first and the last level of cache"),
	SET(flops, "floating-point operations, by the width of the vector"),
	SET(branch, "branches, and those that were predicted wrongly"),
	SET(tlb, "address translations that were not at hand"),
};
/* clang-format on */
const size_t event_sets_count = sizeof event_sets / sizeof *event_sets;

const struct event_set *event_set_find(const char *name)
{
	for (size_t i = 0; i < event_sets_count; i++)
		if (!strcasecmp(event_sets[i].name, name))
			return &event_sets[i];
	return NULL;
}

int event_choice_has(const struct event_choice *choice, const char *name)
{
	for (const char *const *at = choice->names; *at; at++)
		if (!strcasecmp(*at, name))
			return 1;
	return 0;
}

#define EXAMPLE "write it like 'cycles,{instructions,cache-misses},tlb'"

/* The name's length: up to a comma or brace that is not inside slashes. */
static size_t name_length(const char *text)
{
	int inside_slashes = 0;
	size_t length = 0;

	for (; text[length]; length++) {
		if (text[length] == '/')
			inside_slashes = !inside_slashes;
		else if (!inside_slashes && strchr(",{}", text[length]))
			break;
	}
	return length;
}

/* Adds an event of this name, unless it is there. -1 when memory is out. */
static int add_term(struct event_list *list, const char *name, int group,
		    const struct event_set *set, const struct event_choice *choice)
{
	struct event_term *term;

	for (size_t i = 0; i < list->count; i++)
		if (!strcasecmp(list->terms[i].name, name))
			return 0;
	term = array_add(&list->terms, &list->count, sizeof *term);
	if (!term)
		return -1;
	snprintf(term->name, sizeof term->name, "%s", name);
	term->group = group;
	term->set = set ? set->name : NULL;
	term->choice = choice;
	return 0;
}

/* Adds an event, those of a set, or energy. */
static int add_name(struct event_list *list, const char *text, size_t length, int group,
		    struct error *err)
{
	const struct event_set *set;
	char name[EVENT_NAME_BYTES];
	int failed = 0;

	if (!length)
		return error_set(err, EXAMPLE, "a name is missing in the list of events at '%s'",
				 text);
	if (length >= sizeof name)
		return error_set(err, EXAMPLE, "the event name '%.*s' is too long", (int)length,
				 text);
	memcpy(name, text, length);
	name[length] = '\0';
	set = event_set_find(name);
	if (!strcasecmp(name, EVENT_ENERGY))
		list->energy = 1;
	else if (!set)
		failed = add_term(list, name, group, NULL, NULL);
	for (size_t i = 0; set && !failed && i < set->count; i++)
		failed = add_term(list, set->choices[i].names[0], group, set, &set->choices[i]);
	return failed ? error_out_of_memory(err) : 0;
}

static int read_list(struct event_list *list, const char *text, struct error *err)
{
	int groups = 0, inside = 0; /* inside: braces */

	for (;; text++) {
		size_t length;

		if (*text == '{') {
			if (inside)
				return error_set(err, EXAMPLE,
						 "a group of events is inside another at '%s'",
						 text);
			inside = 1;
			groups++;
			text++;
		}
		length = name_length(text);
		if (add_name(list, text, length, inside ? groups : 0, err))
			return -1;
		text += length;
		if (*text == '}') {
			if (!inside)
				return error_set(err, EXAMPLE,
						 "a group of events ends that was not begun: '%s'",
						 text);
			inside = 0;
			text++;
		}
		if (!*text)
			break;
		if (*text != ',')
			return error_set(err, EXAMPLE,
					 "a comma is missing in the list of events at '%s'", text);
	}
	return inside ? error_set(err, EXAMPLE, "a group of events has no end") : 0;
}

int event_list_parse(const char *text, struct event_list *list, struct error *err)
{
	*list = (struct event_list){0};
	if (!read_list(list, text, err))
		return 0;
	event_list_free(list);
	return -1;
}

void event_list_free(struct event_list *list)
{
	free(list->terms);
	*list = (struct event_list){0};
}

#define ENERGY_FOLDER "/sys/bus/event_source/devices/power"

/* In the order of the report: the sockets first, then parts of them. */
static const char *const energy_events[] = {"energy-psys", "energy-pkg", "energy-cores",
					    "energy-ram", "energy-gpu"};

static int has_event(const char *root, const char *event)
{
	char path[128], line[64];

	snprintf(path, sizeof path, ENERGY_FOLDER "/events/%s", event);
	return !machine_read_line(root, path, line, sizeof line);
}

int energy_add(const char *root, struct event_list *list)
{
	for (size_t i = 0; i < sizeof energy_events / sizeof *energy_events; i++) {
		struct event_term *term;

		if (!has_event(root, energy_events[i]))
			continue;
		term = array_add(&list->terms, &list->count, sizeof *term);
		if (!term)
			return -1;
		snprintf(term->name, sizeof term->name, "power/%s/", energy_events[i]);
		term->quiet = 1;
	}
	return 0;
}

void energy_note(const char *root, const struct event_list *list, struct run *run)
{
	int there = 0;

	if (!list->energy)
		return;
	for (size_t i = 0; i < run->ncounters; i++)
		if (!strcmp(run->counters[i].unit, "Joules"))
			return;
	for (size_t i = 0; i < sizeof energy_events / sizeof *energy_events; i++)
		there |= has_event(root, energy_events[i]);
	run_add_note(run, "no_energy", "%s",
		     there ? "this user may not read the machine's energy counters"
			   : "this machine shows no energy counters "
			     "(" ENERGY_FOLDER "/events has none)");
}
