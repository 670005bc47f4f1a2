/* runnable.h: how long threads were runnable while others of the program had the CPUs. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_RUNNABLE_H
#define SAMPLING_RUNNABLE_H

#include <stddef.h>
#include <stdint.h>

/* Threads that may run on the same CPUs. */
struct runnable {
	int cpus;
	int running, ready; /* threads on a CPU; runnable threads without one */
	int64_t counted_ns; /* own_ns is up to date at this time */
	/* The time that a thread which is ready throughout loses to other threads of the program:
	 * the integral of (running + ready - cpus) / ready, at most 1. */
	double own_ns;
};

/* Adds to the number of running and of ready threads at now_ns. Calls come in order of time. */
void runnable_change(struct runnable *runnable, int64_t now_ns, int running, int ready);
/* Returns own_ns at now_ns. */
double runnable_own_ns(struct runnable *runnable, int64_t now_ns);

#endif
