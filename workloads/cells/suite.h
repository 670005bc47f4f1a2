/* suite.h: all cells that the user asked for, measured category by category, in rounds. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_SUITE_H
#define CELLS_SUITE_H

#include <signal.h>
#include <time.h>

#include "cells/cell.h"

enum { THREADS_MAX = 1024, SIZES_MAX = 64 };

/* Which cells the user asked for. */
struct selection {
	const char *categories, *kernels; /* comma-separated; NULL for all */
	const char *caches;		  /* likewise: warm, cold */
	struct size sizes[SIZES_MAX + 1]; /* ends with n = 0; empty for each kernel's own sizes */
	long max_elements;		  /* cells with larger buffers are left out */
};

struct suite {
	struct selection selection;
	const char *threads; /* comma-separated */
	double seconds;	     /* for a cell, over all its rounds */
	const volatile sig_atomic_t *stop;
	const struct provenance *provenance;
	int done, all, wrong; /* result: numbers of cells */
};

/* How much of the suite is done, in seconds of measuring that were expected at the start. */
struct progress {
	double all_s, done_s;
	struct timespec start;
};

/* Returns the next number of threads of the list and moves *list behind it; 0 at the end of the
 * list, -1 if the number is invalid. */
int next_threads(const char **list);

/* Reads "64,16x32x64,..."; N stands for N elements, or for a product of N x N matrices. Returns -1
 * with *failure if the text is invalid. */
int selection_read_sizes(struct selection *selection, const char *text, struct failure *failure);

/* Returns -1 with *failure if a category, a kernel or a cache state is unknown. */
int selection_check(const struct selection *selection, struct failure *failure);

/* Estimates the remaining time after passed_s seconds. The expectation is corrected by the time
 * that the work took so far; the more is done, the more this counts. */
double progress_left_s(const struct progress *progress, double passed_s);

/* Measures the cells of each category in rounds and then prints its rows to standard output; shows
 * the progress if standard error is a terminal. If stopped, prints the cells that have at least one
 * round, and returns. Names kernels that cannot run here on standard error. Returns -1 with
 * *failure if there is no memory or no such cell. */
int suite_run(struct suite *suite, struct failure *failure);

#endif
