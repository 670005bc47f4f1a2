/* event_list.h: what -e takes: events, groups in braces and named sets, separated by commas. */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_EVENT_LIST_H
#define PERF_EVENT_LIST_H

#include <linux/perf_event.h>
#include <stddef.h>

#include "base/error.h"
#include "store/run.h"

#define EVENT_SET_CHOICES 3

/* One thing to count: the first of its names that this machine counts stands for it. */
struct event_choice {
	const char *names[EVENT_SET_CHOICES + 1]; /* ends with NULL */
	int flops; /* floating-point operations that one count stands for; 0: it counts others */
};

/* Is it one of the choice's names? */
int event_choice_has(const struct event_choice *choice, const char *name);

#define EVENT_NAME_BYTES 96

struct event_term {
	char name[EVENT_NAME_BYTES];
	int quiet;	 /* 1: nobody is told when it cannot be counted */
	int group;	 /* terms of the same number over 0 are counted together */
	const char *set; /* the set that it comes from, or NULL */
	const struct event_choice *choice; /* of the set; NULL: only the name will do */
};

struct event_list {
	struct event_term *terms;
	size_t count;
	int energy; /* 1: joules were asked for */
};

/* The set that is no list of events: the joules of the package. */
#define EVENT_ENERGY "energy"

/* Reads "cycles,{instructions,cache-misses:u},tlb". An event that is named
 * twice counts once. Which names exist is not looked at. Returns 0, or -1 with *err and nothing to
 * free: empty names, names over EVENT_NAME_BYTES, braces without partner or inside each other. */
int event_list_parse(const char *text, struct event_list *list, struct error *err);
void event_list_free(struct event_list *list);

/* Adds the energy events that the machine below `root` has: where it has none, and where the user
 * may not read them, they are left out without a note. */
void energy_add(const char *root, struct event_list *list);

#define ENERGY_UNIT "Joules"

/* One of these as the kernel takes it, by its files in /sys. */
struct energy_event {
	struct perf_event_attr attr; /* only size, type and config are set */
	double joules;		     /* of a count */
	char cpus[128];		     /* "0,28": the CPUs that it is counted on */
};

/* Is it the name of one? */
int energy_is(const char *name);
/* -1 where the machine does not have it. */
int energy_encode(const char *root, const char *name, struct energy_event *event);

/* Afterwards: notes no_energy where energy was asked for and none was counted. */
void energy_note(const char *root, const struct event_list *list, struct run *run);

#endif
