/* probe_arguments.h: the dimensions that a probed BLAS call was made with. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_PROBE_ARGUMENTS_H
#define RECORD_PROBE_ARGUMENTS_H

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

/* For probe_arguments.c alone. A function of a routine's own C signature that keeps its dimensions;
 * NULL: there is none for the routine of this row of the table. By the width of whole numbers. */
typedef void (*probe_reader)(void);
probe_reader probe_reader_32(size_t base);
probe_reader probe_reader_64(size_t base);
/* What a reader keeps: transa, transb, m, n, k. */
void probe_arguments_keep(const int64_t dimensions[5]);

#endif
