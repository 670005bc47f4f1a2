/* probe_arguments.h: the dimensions that a probed BLAS call was made with. */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_PROBE_ARGUMENTS_H
#define PERF_PROBE_ARGUMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "perf/sample_record.h"

/* As in struct shape_key (wire/layout.h): 0 where the routine has no such argument. */
struct probe_shape {
	unsigned char transa, transb; /* as they were passed */
	int64_t m, n, k;
};

/* Reads what a routine (blas/routines.h) was entered with from a sample of PROBE_ENTRY_TYPE. 0; -1
 * where that does not tell: Fortran's arguments and those of batches are addresses. */
int probe_arguments_read(size_t id, const struct sample_record *sample, struct probe_shape *shape);

#endif
