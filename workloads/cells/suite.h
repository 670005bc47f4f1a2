/* suite.h: all cells that are asked for, category by category, in rounds. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_SUITE_H
#define CELLS_SUITE_H

#include <signal.h>

#include "cells/provenance.h"
#include "cells/selection.h"

enum { THREADS_MAX = 1024 };

struct suite {
	struct selection selection;
	const char *threads; /* comma-separated */
	double seconds;	     /* for a cell, over all its rounds */
	const volatile sig_atomic_t *stop;
	const struct provenance *provenance;
	int done, all, wrong; /* filled in: cells */
};

/* The next number of threads in the list, and the list after it; 0 at its end, -1: no good. */
int next_threads(const char **list);

/* Measures the cells of a category in rounds and prints its rows then, to standard output, with the
 * progress on a terminal. Stopped, it prints those that have a round at least, and returns. A
 * kernel that cannot run here is named on standard error, and has no cells.
 * -1 with *failure: no memory, or there is no such cell. */
int suite_run(struct suite *suite, struct failure *failure);

#endif
