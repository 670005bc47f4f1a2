/* counters.h: counts events over the whole program, and divides the counts by samples. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_COUNTERS_H
#define SAMPLING_COUNTERS_H

#include <stdint.h>
#include <sys/types.h>

#include "perf/event_list.h"
#include "perf/ring.h"
#include "sampling/timeline.h"
#include "store/run.h"

struct counters;

/* What is counted, and where samples of the counted events go: one ring for each CPU, and the
 * timeline that reads them. Without rings there are only sums. */
struct counters_target {
	const char *root; /* prefix of the paths in /sys; "" except in tests */
	pid_t child; /* a process that waits before its exec, where the counters start; its threads
		      * and children inherit them */
	const struct ring *rings;
	size_t nrings;
	struct timeline *timeline;
	int rate_hz;
	const struct perf_event_attr *sampled; /* the event that is sampled anyway, or NULL */
};

/* Opens those events of the list that can be opened. The others, and lack of memory, become notes
 * of the run (counter_unknown, counter_missing, counter_refused, counter_group). Returns NULL if
 * nothing is counted. */
struct counters *counters_open(const struct event_list *list, const struct counters_target *target,
			       struct run *run);

/* Adds the sums to run->counters when the program has ended, scaled up to the whole time if an
 * event took turns with others. */
void counters_read(const struct counters *counters, struct run *run);

/* Divides what counters_read() added by the samples in the timeline: in the region [start_ns,
 * end_ns] by thread and by kind of code (code[] of each address). */
void counters_share(const struct counters *counters, const struct timeline *timeline,
		    const enum run_code *code, int64_t start_ns, int64_t end_ns, struct run *run);

void counters_free(struct counters *counters);

#endif
