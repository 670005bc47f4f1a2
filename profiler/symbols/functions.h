/* functions.h: turns samples by code address into samples by function. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_FUNCTIONS_H
#define SYMBOLS_FUNCTIONS_H

#include <stdint.h>

#include "symbols/address_table.h"
#include "symbols/naming.h"
#include "store/run.h"

/* Samples of each address, by number. */
struct address_counts {
	uint64_t *all;
	uint64_t *workers; /* those of them that did not spin, in threads that BLAS itself started
			    */
	uint32_t *thread;  /* the one that all of them are of, or THREAD_SEVERAL; 0: none */
	uint64_t *spins;   /* those of all that spun; they count nowhere here */
};
#define THREAD_SEVERAL UINT32_MAX

/* Adds a row to run->functions for each function with samples, inlined functions apart by what they
 * were inlined into, with the line that most of its samples are on. code[]: of each address.
 * OBJECT_UNKNOWN is left out. -1 when memory is out. */
int functions_add(const struct address_table *addresses, const struct naming *naming,
		  const struct address_counts *counts, const enum run_code *code, struct run *run);

#endif
