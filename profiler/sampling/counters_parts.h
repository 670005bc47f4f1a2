/* counters_parts.h: what the files of the counters share. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_COUNTERS_PARTS_H
#define RECORD_COUNTERS_PARTS_H

#include <linux/perf_event.h>
#include <stddef.h>

#include "sampling/counters.h"

struct counter {
	char name[EVENT_NAME_BYTES];
	struct perf_event_attr attr;
	double scale;
	char unit[16];
	char cpus[128]; /* as in struct sysfs_event */
	int flops;	/* of one count; 0: not known, or none */
	int group;	/* that it is counted in; 0: none */
	int sampled, alone, user_only;
	int by_clock; /* 1: the sampling event is a clock as well, whose samples share it out */
	int *fds; /* one for each ring, or one, or one for each of the unit's CPUs */
	size_t nfds;
};

struct counters {
	struct counter *items;
	size_t count;
	int clock; /* the event that is enabled while the program runs; -1: none */
};

#endif
