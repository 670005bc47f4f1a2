/* rounds.h: one cell, measured several times with others in between. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_ROUNDS_H
#define CELLS_ROUNDS_H

#include "cells/cell.h"

/* With six, the least and the greatest of their medians are a 95 % interval of the median over
 * time, whatever the distribution: 1 - 2 / 2^6 is 96.9 % (Conover, "Practical nonparametric
 * statistics", 1999, section 3.2). That holds where rounds have nothing to do with one another;
 * what a machine is busy with lasts longer than one round, and than a run. So there are more
 * rounds, as time allows, and the interval is still from the least to the greatest: one that holds
 * from run to run (tests/bench/cells-agree.sh). */
enum { ROUNDS_FOR_INTERVAL = 6, ROUNDS_MAX = 24 };

struct rounds {
	int count;
	struct cell cells[ROUNDS_MAX];
};

/* The cell that the rounds come to, of which there is one at least: the first that is not right, if
 * any; else with all samples, the median of the medians and its interval, which is that of the
 * medians or, under ROUNDS_FOR_INTERVAL, from the lowest to the highest end of theirs. A frequency
 * that changed from one to another is noted. */
struct cell rounds_sum(const struct rounds *rounds);

#endif
