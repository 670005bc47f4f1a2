/* event_list.h: reads what -e takes: events, groups in braces and named sets, parted by commas. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_EVENT_LIST_H
#define RECORD_EVENT_LIST_H

#include <stddef.h>

#include "base/error.h"

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

/* Reads "cycles,{instructions,cache-misses:u},cpu/event=0xc0,umask=1/,tlb". An event that is named
 * twice counts once. Which names exist is not looked at. Returns 0, or -1 with *err and nothing to
 * free: empty names, names over EVENT_NAME_BYTES, braces without partner or inside each other. */
int event_list_parse(const char *text, struct event_list *list, struct error *err);
void event_list_free(struct event_list *list);

#endif
