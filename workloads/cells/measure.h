/* measure.h: times a kernel until its median is known well enough. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_MEASURE_H
#define CELLS_MEASURE_H

#include <signal.h>

#include "cells/kernel.h"

#define MEASURE_WIDTH 0.02 /* the 95 % interval of the median, as a share of it: enough */

struct limits {
	int threads;	/* all at once, each on operands of its own */
	int cold;	/* 1: before each run the caches are filled with something else */
	double seconds; /* for one cell; a few runs are made whatever they take */
	const volatile sig_atomic_t *stop; /* nonzero: give up */
};

/* Times of one run, in ns, the clock's own cost taken out. */
struct times {
	int samples;
	int runs; /* in each sample, one after the other */
	double min, median, max;
	double low, high; /* 95 % interval of the median; its ends are min and max where samples are
			     few */
	double joules;	  /* of a run, by the machine's own count; 0: not known */
	double clock_ns;  /* what reading the clock cost, in all, for each sample */
};

enum measured { MEASURED, MEASURED_NO_MEMORY, MEASURED_NO_THREADS, MEASURED_STOPPED };

/* Sorts times->samples of them, and fills in all else that follows from them. */
void times_summarise(double *samples, struct times *times);

/* Runs on operands that are filled; what is left in them depends on how often it ran. */
enum measured measure_kernel(const struct kernel *kernel, struct operands *operands,
			     const struct limits *limits, struct times *times);

#endif
