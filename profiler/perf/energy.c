/* energy.c: finds the energy events of the unit "power". */
/* SPDX-License-Identifier: MIT */
#include "perf/energy.h"

#include <stdio.h>
#include <string.h>

#include "base/machine_files.h"
#include "base/array.h"

#define FOLDER "/sys/bus/event_source/devices/power"

/* In the order of the report: the sockets first, then parts of them. */
static const char *const events[] = {"energy-psys", "energy-pkg", "energy-cores", "energy-ram",
				     "energy-gpu"};

static int has_event(const char *root, const char *event)
{
	char path[128], line[64];

	snprintf(path, sizeof path, FOLDER "/events/%s", event);
	return !machine_read_line(root, path, line, sizeof line);
}

int energy_add(const char *root, struct event_list *list)
{
	for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
		struct event_term *term;

		if (!has_event(root, events[i]))
			continue;
		term = array_add(&list->terms, &list->count, sizeof *term);
		if (!term)
			return -1;
		snprintf(term->name, sizeof term->name, "power/%s/", events[i]);
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
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		there |= has_event(root, events[i]);
	run_add_note(run, "no_energy", "%s",
		     there ? "this user may not read the machine's energy counters"
			   : "this machine shows no energy counters "
			     "(" FOLDER "/events has none)");
}
