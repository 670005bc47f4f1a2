/* cell.h: what was measured of one kernel at one size: a row of what workloads/ceilings prints. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_CELL_H
#define STORE_CELL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "util/error.h"

enum { CELL_WORD = 64, CELL_LINE = 256 };

/* Numbers are 0 where they do not exist. The columns' table in schema.c says what each is. */
struct cell {
	int64_t suite; /* the cells that were stored together have one number */
	char category[CELL_WORD], kernel[CELL_WORD];
	int64_t m, n, k;
	int offset_bytes, threads;
	char cache[CELL_WORD], status[CELL_WORD], note[CELL_LINE];
	double median_ns, low_ns, high_ns, min_ns, max_ns;
	int64_t samples, runs;
	double clock_ns, flops, bytes, gflops, gbytes_per_s, bytes_per_flop;
	int64_t elements, checked;
	char checksum[CELL_WORD];
	double mhz;
	char host[CELL_LINE], cpu[CELL_LINE], system[CELL_LINE], blas[CELL_LINE];
	int blas_threads;
	char compiler[CELL_LINE], flags[CELL_LINE], revision[CELL_LINE], date[CELL_WORD];
	int64_t seed;
};

/* Reads the values that workloads/ceilings printed (RFC 4180), by the names in the header; `name`
 * is the file's in messages. A row that the file's end cuts off is left out. -1 with *err, and no
 * cells, where the header or a row is not as it should be; else *cells is owned by the caller. */
int cells_read(FILE *file, const char *name, struct cell **cells, size_t *count, struct error *err);

struct store;
/* Adds the cells as a new suite, all or none; *suite is its number. */
int store_save_cells(struct store *store, const struct cell *cells, size_t count, int64_t *suite,
		     struct error *err);

#endif
