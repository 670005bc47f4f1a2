/* event_list.c: parses the argument of -e; named sets of events; energy events. */
/* SPDX-License-Identifier: MIT */
#include "perf/event_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
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

/* Intel counts each instruction once and a fused multiply-add twice, so the factor is the length of the vector. AMD counts operations. Arm counts instructions of unknown length. */
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

/* In the order of the report: the whole machine and the sockets first, then parts of them. */
static const struct event_choice energy[] = {
	{{"power/energy-psys/"}, 0},
	{{"power/energy-pkg/"}, 0},
	{{"power/energy-cores/"}, 0},
	{{"power/energy-ram/"}, 0},
	{{"power/energy-gpu/"}, 0},
};

#define SET(name) {#name, name, sizeof name / sizeof *name}
static const struct event_set {
	const char *name;
	const struct event_choice *choices;
	size_t count;
} event_sets[] = {SET(cache), SET(flops), SET(branch), SET(tlb), SET(energy)};
/* clang-format on */

static const char example[] = "write it like 'cycles,{instructions,cache-misses},tlb'";

/* Sets *err to what is wrong at this place of the list. Returns -1. */
static int refuse(struct error *err, const char *what, const char *text)
{
	return error_set(err, example, "%s at '%s'", what, text);
}

/* Adds an event of this name, unless the list has it. */
static void add_term(struct event_list *list, const char *name, int group,
		     const struct event_set *set, const struct event_choice *choice)
{
	struct event_term *term;

	for (size_t i = 0; i < list->count; i++)
		if (!strcasecmp(list->terms[i].name, name))
			return;
	term = memory_add(&list->terms, &list->count, sizeof *term);
	snprintf(term->name, sizeof term->name, "%s", name);
	term->group = group;
	term->set = set ? set->name : NULL;
	term->choice = choice;
}

/* Adds an event or the events of a set, by a name in upper or lower case. */
static int add_name(struct event_list *list, const char *text, size_t length, int group,
		    struct error *err)
{
	const struct event_set *set = NULL;
	char name[EVENT_NAME_BYTES];

	if (!length)
		return refuse(err, "a name is missing in the list of events", text);
	if (length >= sizeof name)
		return error_set(err, example, "the event name '%.*s' is too long", (int)length,
				 text);
	memcpy(name, text, length);
	name[length] = '\0';
	for (size_t i = 0; i < sizeof event_sets / sizeof *event_sets && !set; i++)
		if (!strcasecmp(event_sets[i].name, name))
			set = &event_sets[i];
	if (!set)
		add_term(list, name, group, NULL, NULL);
	for (size_t i = 0; set && i < set->count; i++)
		add_term(list, set->choices[i].names[0], group, set, &set->choices[i]);
	return 0;
}

int event_list_parse(const char *text, struct event_list *list, struct error *err)
{
	int groups = 0, inside = 0; /* 1 between braces */

	*list = (struct event_list){0};
	for (;; text++) {
		size_t length;

		if (*text == '{') {
			if (inside)
				return refuse(err, "a group of events is inside another", text);
			inside = 1;
			groups++;
			text++;
		}
		length = strcspn(text, ",{}");
		if (add_name(list, text, length, inside ? groups : 0, err))
			return -1;
		text += length;
		if (*text == '}') {
			if (!inside)
				return refuse(err,
					      "a '}' has no '{' before it in the list of events",
					      text);
			inside = 0;
			text++;
		}
		if (!*text)
			break;
		if (*text != ',')
			return refuse(err, "a comma is missing in the list of events", text);
	}
	return inside ? error_set(err, example, "a '{' has no '}' after it in the list of events")
		      : 0;
}

void event_list_free(struct event_list *list)
{
	free(list->terms);
	*list = (struct event_list){0};
}

#define ENERGY_FOLDER "/sys/bus/event_source/devices/power"
#define ENERGY_PREFIX "power/" /* of the names */

static int read_file(const char *root, const char *event, const char *ending, char line[64])
{
	return machine_read_line(root, PATH(ENERGY_FOLDER "/events/%s%s", event, ending), line, 64);
}

int energy_is(const char *name)
{
	return !strncmp(name, ENERGY_PREFIX, strlen(ENERGY_PREFIX));
}

int energy_encode(const char *root, const char *name, struct energy_event *event)
{
	long type = machine_read_long(root, ENERGY_FOLDER "/type", -1);
	unsigned long long config = 0;
	char part[32], line[64];

	snprintf(part, sizeof part, "%s", name + strlen(ENERGY_PREFIX));
	part[strcspn(part, "/")] = '\0';
	if (type < 0 || read_file(root, part, "", line) || sscanf(line, "event=%llx", &config) != 1)
		return -1;
	*event = (struct energy_event){
		.attr = {.size = sizeof event->attr, .type = (uint32_t)type, .config = config},
		.joules = read_file(root, part, ".scale", line) ? 1 : strtod(line, NULL)};
	machine_read_line(root, ENERGY_FOLDER "/cpumask", event->cpus, sizeof event->cpus);
	return 0;
}

void energy_add(const char *root, struct event_list *list)
{
	struct energy_event event;

	for (size_t i = 0; i < sizeof energy / sizeof *energy; i++)
		if (!energy_encode(root, energy[i].names[0], &event))
			add_term(list, energy[i].names[0], 0, NULL, &energy[i]);
}
