/* event_sets.h: the named sets of events that -e takes: one table of portable events. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_EVENT_SETS_H
#define RECORD_EVENT_SETS_H

#include <stddef.h>

#define EVENT_SET_CHOICES 3

/* One thing to count: the first of its names that this machine counts stands for it. */
struct event_choice {
	const char *names[EVENT_SET_CHOICES + 1]; /* ends with NULL */
	int flops; /* floating-point operations that one count stands for; 0: it counts others */
};

struct event_set {
	const char *name; /* "cache" */
	const char *says; /* one line for people */
	const struct event_choice *choices;
	size_t count;
};
extern const struct event_set event_sets[];
extern const size_t event_sets_count;

/* NULL where there is no such set. Upper case and lower case are alike. */
const struct event_set *event_set_find(const char *name);

/* Is it one of the choice's names? */
int event_choice_has(const struct event_choice *choice, const char *name);

#endif
