/* sampler_parts.h: what the files of the sampler share: rings, drain thread and time line. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_SAMPLER_PARTS_H
#define RECORD_SAMPLER_PARTS_H

#include <linux/perf_event.h>
#include <pthread.h>

#include "sampling/counters.h"
#include "sampling/merge.h"
#include "perf/probes.h"
#include "perf/ring.h"
#include "sampling/sampler.h"
#include "sampling/timeline.h"

struct sampler {
	struct ring *rings; /* one for each CPU online */
	size_t nrings;
	struct perf_event_attr attr;
	int *wait_fds; /* the events that tell where threads wait, one for each ring, or none */
	size_t nwait_fds;
	int crowded; /* 1: these were closed, for a crowd of threads */
	int *probe_fds; /* the events of the routines that are probed, or none */
	size_t nprobe_fds;
	struct blas_symbol *probed; /* these routines */
	size_t nprobed;
	struct probe_cost probe_cost;
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

/* Opens the events that tell where threads leave the CPU, into the same rings. Where that is not
 * possible the run gets a note (no_wait_stacks), and waits have no stacks. */
void sampler_open_waits(struct sampler *sampler, pid_t child, struct run *run);
void sampler_close_waits(struct sampler *sampler);

/* Probes the BLAS routines of the file into the same rings. Where that is not possible the run gets
 * a note (no_uprobes) that says why. */
void sampler_open_probes(struct sampler *sampler, const char *path, struct run *run);
void sampler_close_probes(struct sampler *sampler);

#endif
