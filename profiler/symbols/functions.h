/* functions.h: turns samples by place into samples by function. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_FUNCTIONS_H
#define RECORD_FUNCTIONS_H

#include <stdint.h>

#include "symbols/naming.h"
#include "symbols/places.h"
#include "store/run.h"

/* Samples of each place. */
struct place_counts {
	uint64_t *all;
	uint64_t *workers; /* those of them in threads that BLAS itself started */
};

/* Adds a row to run->functions for each function with samples, inlined functions apart by what
 * they were inlined into, with the line that most of its samples are on. code[] has one figure for
 * each object. OBJECT_UNKNOWN is passed over. -1 when memory is out. */
int functions_add(const struct places *places, const struct naming *naming,
		  const struct place_counts *counts, const enum run_code *code, struct run *run);

#endif
