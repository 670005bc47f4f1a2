/* sysfs_event.h: events of the units that the kernel describes in /sys, "cpu/event=0xc0,umask=1/".
 */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_SYSFS_EVENT_H
#define PERF_SYSFS_EVENT_H

#include <linux/perf_event.h>

#include "base/error.h"

struct sysfs_event {
	struct perf_event_attr attr; /* only size, type, config* and exclude_* are set */
	double scale;		     /* of a count, to be in units */
	char unit[16];		     /* "Joules"; "" where it is a plain count */
	char cpus[128]; /* "0,28": CPUs that it counts on as a whole; "": it counts tasks */
};

/* Is it such a name: a unit, a slash, and the like? */
int sysfs_event_is(const char *name);

/* Reads "UNIT/TERMS/" with u or k behind it, where TERMS are a name in the unit's events folder or
 * settings of its format folder, below `root`. -1 with *err, and the names that the unit does have,
 * when something of it is not there. */
int sysfs_event_encode(const char *root, const char *name, struct sysfs_event *event,
		       struct error *err);

#endif
