/* probe_calls.h: pairs the entries into and returns from BLAS routines to calls, by thread. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_PROBE_CALLS_H
#define SAMPLING_PROBE_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"
#include "perf/uprobe.h"
#include "store/run.h"

/* Shapes that are told apart, over all routines. */
#define PROBE_SHAPES_MAX 4096

/* What a thread did in outermost calls that returned; a thread of the time line by its number. */
struct probe_thread {
	uint64_t calls;
	int64_t first_ns, last_ns; /* enter of the first, return of the last */
	int64_t inside_ns, waiting_ns, preempted_ns;
	double flops;
	/* the call under way */
	uint64_t sp; /* the stack pointer when it was entered; 0: none is */
	uint32_t routine;
	int shape_known;
	struct probe_shape shape;
	int64_t since_ns, out_waiting_ns, out_preempted_ns;
};

/* What was called, over all threads: calls of one shape, or those of a routine that are of none. */
struct probe_routine {
	size_t id; /* blas/routines.h */
	int shape_known;
	struct probe_shape shape;
	int holds_others; /* without a shape: 1 where there was no room for one more */
	uint64_t calls;
	int64_t total_ns, min_ns, max_ns;
	double flops, bytes;
	uint64_t histogram[RUN_HISTOGRAM_BUCKETS];
};

struct probe_calls {
	struct probe_thread *threads;
	size_t nthreads;
	struct probe_routine *routines; /* by the number that they were opened under */
	size_t nroutines;
	struct probe_routine *shapes;
	size_t nshapes;
	struct idmap shape_numbers; /* in shapes[], by a hash of routine and shape */
	double inside_ns;	    /* of each call, that is the probes' own */
};

/* The routines' ids are the caller's to set. */
void probe_calls_init(struct probe_calls *calls, size_t count);
void probe_calls_free(struct probe_calls *calls);

/* A routine was entered or returned from, with this stack pointer. Calls that a routine makes
 * itself are part of its own; one that was left by a jump is forgotten at the next (unless that is
 * of another routine, from the same place: so looks a routine that jumps on to another one). shape
 * NULL: not known. */
void probe_calls_enter(struct probe_calls *calls, uint32_t thread, uint32_t routine, uint64_t sp,
		       int64_t now_ns, const struct probe_shape *shape);
void probe_calls_return(struct probe_calls *calls, uint32_t thread, uint64_t sp, int64_t now_ns);
/* The thread was off the CPU for off_ns. */
void probe_calls_off(struct probe_calls *calls, uint32_t thread, int preempted, int64_t off_ns);

#endif
