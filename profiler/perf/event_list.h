/* event_list.h: the argument of -e: events, groups in braces, and named sets. */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_EVENT_LIST_H
#define PERF_EVENT_LIST_H

#include <linux/perf_event.h>
#include <stddef.h>

#include "base/error.h"

#define EVENT_SET_CHOICES 3

/* Something to count: the first of these events that the machine counts is used. */
struct event_choice {
	const char *names[EVENT_SET_CHOICES + 1]; /* ends with NULL */
	int flops; /* floating-point operations of one count; 0 for other events */
};

#define EVENT_NAME_BYTES 96

struct event_term {
	char name[EVENT_NAME_BYTES];
	int group;	 /* terms with the same number over 0 are counted as a group */
	const char *set; /* the set that was asked for, or NULL */
	/* of the set or of energy_add(); NULL if only the name was asked for, so that a note is due
	 * when it cannot be counted */
	const struct event_choice *choice;
};

struct event_list {
	struct event_term *terms;
	size_t count;
};

/* Parses a list such as "cycles,{instructions,cache-misses:u},tlb". An event that is named twice
 * counts once. Does not check whether the names exist. Returns -1 with *err for empty names, names
 * over EVENT_NAME_BYTES, and unbalanced or nested braces. Free with event_list_free() in either
 * case. */
int event_list_parse(const char *text, struct event_list *list, struct error *err);
void event_list_free(struct event_list *list);

/* Adds the energy events of the machine whose files are below `root`, unless the list has them.
 * Those that it does not have, or that the user may not read, are left out without a note. */
void energy_add(const char *root, struct event_list *list);

#define ENERGY_UNIT "Joules"

/* An energy event as the kernel defines it in /sys. */
struct energy_event {
	struct perf_event_attr attr; /* only size, type and config are set */
	double joules;		     /* of one count */
	char cpus[128];		     /* the CPUs that count it, as "0,28" */
};

/* Returns 1 for the name of an energy event. */
int energy_is(const char *name);
/* Returns -1 if the machine does not have it. */
int energy_encode(const char *root, const char *name, struct energy_event *event);

#endif
