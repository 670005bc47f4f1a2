/* sampler_parts.h: what the files of the sampler share: rings, drain thread and time line. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_SAMPLER_PARTS_H
#define RECORD_SAMPLER_PARTS_H

#include <linux/perf_event.h>
#include <pthread.h>

#include "record/counters.h"
#include "record/merge.h"
#include "record/ring.h"
#include "record/sampler.h"
#include "record/timeline.h"

struct sampler {
	struct ring *rings; /* one for each CPU online */
	size_t nrings;
	struct perf_event_attr attr;
	int stop_fd; /* eventfd that ends the drain thread; -1 before there is one */
	pthread_t thread;
	int running; /* the thread was started and not yet joined */
	int64_t horizon_ns;
	int64_t start_ns, start_realtime_ns;
	struct merge merge;
	struct timeline timeline;
	struct counters *counters; /* NULL: none */
};

/* Opens and maps the rings for `child` by sampler->attr. With *err set on failure, when what was
 * opened is closed again. */
int sampler_open_rings(struct sampler *sampler, const char *event, pid_t child, struct run *run,
		       struct error *err);
/* Gives the run's threads that made no call a process each, with rows for those that have none yet,
 * and notes those in which the preload library was not loaded where they matter. 0, or -1 when
 * memory is out. */
int collect_processes(const struct timeline *timeline, struct run *run);
void sampler_close_rings(struct sampler *sampler);

#endif
