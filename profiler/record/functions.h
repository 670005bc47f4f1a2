/* functions.h: turns samples by place into samples by function. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_FUNCTIONS_H
#define RECORD_FUNCTIONS_H

#include <stdint.h>

#include "record/places.h"
#include "store/run.h"

/* Adds a row to run->functions for each function with samples. counts[] has one figure for each
 * place, code[] one for each object. OBJECT_UNKNOWN is passed over. Files changed after since_ns
 * (realtime) are not trusted. -1 when memory is out. */
int functions_add(const struct places *places, const uint64_t *counts, const enum run_code *code,
		  int64_t since_ns, struct run *run);

#endif
