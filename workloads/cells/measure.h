/* measure.h: times a kernel until its median is known well enough. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_MEASURE_H
#define CELLS_MEASURE_H

#include <signal.h>

#include "cells/kernel.h"

#define MEASURE_WIDTH 0.02 /* sufficient width of the median's 95 % interval, as a part of it */

struct limits {
	int threads;	/* run at the same time, each on its own operands */
	int cold;	/* 1 if the caches are filled with other data before each run */
	double seconds; /* for one cell; some runs are made even if they take longer */
	const volatile sig_atomic_t *stop; /* nonzero to give up */
};

/* Times of one run in ns, without the cost of reading the clock. */
struct times {
	int samples;
	int runs; /* number of successive runs in a sample */
	double min, median, max;
	double low, high; /* 95 % interval of the median; min and max if there are few samples */
	double joules;	  /* energy of a run, as the machine counts it; 0 if unknown */
	double clock_ns;  /* cost of reading the clock that was subtracted from each sample */
};

enum measured { MEASURED, MEASURED_NO_ROOM, MEASURED_STOPPED };

/* Sorts the times->samples samples and fills in the fields that follow from them. */
void times_summarise(double *samples, struct times *times);

/* Runs the kernel on operands that are filled. MEASURED_NO_ROOM if there is no memory or no thread
 * left. */
enum measured measure_kernel(const struct kernel *kernel, struct operands *operands,
			     const struct limits *limits, struct times *times);

#define ENERGY_FOLDER "/sys/class/powercap" /* Linux, Documentation/power/powercap */

/* Energy in joules that all processor packages in the folder (RAPL) have used; 0 if unknown. The
 * counters wrap around from time to time. */
double energy_joules(const char *folder);

#endif
