/* counters.h: counts events over the whole program, and shares the counts out by samples. */
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

/* Where the counts go: rings for samples of them, one for each CPU, and who reads these. Without
 * rings there are only sums. */
struct counters_target {
	const char *root; /* of /sys: "" but in tests */
	pid_t child;	  /* waits before its exec, where the counters start; threads and children
			     inherit */
	const struct ring *rings;
	size_t nrings;
	struct timeline *timeline;
	int rate_hz;
	const struct perf_event_attr *sampled; /* the event that is sampled anyway; NULL: none */
};

/* Opens what can be opened of the list; what cannot is a note of the run (counter_unknown,
 * counter_missing, counter_refused, counter_group), and so is memory that is out. NULL when nothing
 * is counted. */
struct counters *counters_open(const struct event_list *list, const struct counters_target *target,
			       struct run *run);

/* When the program has ended: adds the sums to run->counters, scaled up to the whole time where an
 * event took turns with others. */
void counters_read(const struct counters *counters, struct run *run);

/* Shares out what counters_read() added, by the samples in the time line: in the region [start_ns,
 * end_ns] by the code that they lie in, code[] of each address, and by thread. */
void counters_share(const struct counters *counters, const struct timeline *timeline,
		    const enum run_code *code, int64_t start_ns, int64_t end_ns, struct run *run);

void counters_free(struct counters *counters);

#endif
