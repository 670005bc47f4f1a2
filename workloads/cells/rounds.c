/* rounds.c: one cell, measured several times with others in between. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "cells/rounds.h"

static int compare_doubles(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

static void set_interval(const struct rounds *rounds, struct times *times)
{
	double medians[ROUNDS_MAX];
	const int n = rounds->count;

	for (int i = 0; i < n; i++)
		medians[i] = rounds->cells[i].times.median;
	qsort(medians, (size_t)n, sizeof(*medians), compare_doubles);
	times->median = (medians[(n - 1) / 2] + medians[n / 2]) / 2;
	if (n >= ROUNDS_FOR_INTERVAL) {
		times->low = medians[0];
		times->high = medians[n - 1];
	}
}

static void add_times(struct times *sum, const struct times *times)
{
	sum->samples += times->samples;
	sum->min = fmin(sum->min, times->min);
	sum->max = fmax(sum->max, times->max);
	sum->low = fmin(sum->low, times->low);
	sum->high = fmax(sum->high, times->high);
	sum->joules += times->joules;
}

struct cell rounds_sum(const struct rounds *rounds)
{
	struct cell sum = rounds->cells[0];
	double least = sum.mhz_before, most = sum.mhz_before;

	for (int i = 0; i < rounds->count; i++) {
		const struct cell *cell = &rounds->cells[i];

		if (cell->status != CELL_OK)
			return *cell;
		least = fmin(least, fmin(cell->mhz_before, cell->mhz_after));
		most = fmax(most, fmax(cell->mhz_before, cell->mhz_after));
		sum.mhz_after = cell->mhz_after;
		if (i)
			add_times(&sum.times, &cell->times);
	}
	sum.times.joules /= rounds->count;
	set_interval(rounds, &sum.times);
	cell_note_frequency(&sum, least, most);
	return sum;
}
