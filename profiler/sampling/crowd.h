/* crowd.h: while more threads of the program are ready to run than it has CPUs, they wait for each
 * other; counts for how long, as threads come and go. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_CROWD_H
#define SAMPLING_CROWD_H

#include <stddef.h>
#include <stdint.h>

/* Threads that may run on the same CPUs. */
struct crowd {
	int cpus;
	int running, ready; /* threads on a CPU, and ready without one */
	int64_t counted_ns; /* up to this moment */
	double own_ns;	    /* what a thread that is ready all the time would have lost to others of
			     * them: the integral of their number over the CPUs by those ready */
};

/* A thread's change: by how many more run and are ready, from this moment on, which is not before
 * those of earlier changes. */
void crowd_change(struct crowd *crowd, int64_t now_ns, int running, int ready);
/* own_ns at this moment. */
double crowd_own_ns(struct crowd *crowd, int64_t now_ns);

#endif
