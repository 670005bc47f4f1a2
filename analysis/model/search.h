/* search.h: finds the fastest of many settings in few runs. */
/* SPDX-License-Identifier: MIT
 *
 * A setting chooses a value for each of some knobs: how many threads a pool has, how it waits. The
 * search says what to run next, and is told how long that took:
 *
 * 1. what the program does by itself, the sizes of all pools whose product is no more than the
 *    CPUs, and each other value of a knob alone, once each;
 * 2. from the fastest on, the settings that differ from it in one knob, a size by one step, once
 *    each, until none of them is faster;
 * 3. those that may still be the fastest, and what the program does by itself, in turns, until they
 *    are told apart, or differ by less than SEARCH_ENOUGH, or there were as many runs as settings.
 *    Where what the program does by itself is the fastest beyond doubt, nothing is run again.
 */
#ifndef MODEL_SEARCH_H
#define MODEL_SEARCH_H

#include <stddef.h>

#include "model/stats.h"

#define SEARCH_KNOBS_MAX 8
#define SEARCH_RUNS_MAX	 5    /* of one setting */
#define SEARCH_RUNS_MIN	 3    /* of the fastest, and of the first if slower: for an interval */
#define SEARCH_ENOUGH	 0.05 /* settings that differ by less need not be told apart ... */
#define SEARCH_EQUAL	 0.02 /* ... and by less than this are as good as each other */

struct search_knob {
	int count; /* of its values, 0 .. count - 1 */
	int usual; /* the value that the program has by itself */
	/* Of a pool's size: the threads that each value stands for, rising; else NULL */
	const int *threads;
	int is_for_threads; /* 1: it changes nothing where all pools have one thread */
};

/* A setting that was run at least once. */
struct search_setting {
	unsigned char values[SEARCH_KNOBS_MAX];
	double seconds[SEARCH_RUNS_MAX]; /* each run took; INFINITY: it failed */
	int runs;
};

struct search {
	const struct search_knob *knobs;
	int nknobs, cpus;
	struct search_setting *settings; /* the first has all knobs' usual values */
	size_t count;
};

/* Knobs are borrowed until search_free(). nknobs <= SEARCH_KNOBS_MAX. */
void search_start(struct search *search, const struct search_knob *knobs, int nknobs, int cpus);
/* What to run next, into values[nknobs]. Returns 1, or 0: nothing more is worth a run. */
int search_next(const struct search *search, unsigned char *values);
/* Notes what a run of the setting took, in seconds > 0. */
void search_add(struct search *search, const unsigned char *values, double seconds);
/* The index in settings[] of what to recommend: the one with the least mean or, where that is as
 * good, one that changes fewer knobs; the first, unless it is slower by more than SEARCH_ENOUGH.
 * There must be one. */
size_t search_best(const struct search *search);
/* How many settings there are in all. */
double search_space(const struct search *search);
void search_free(struct search *search);

#endif
