/* cell.h: one kernel at one size: checked, timed in several rounds, and printed as one row. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_CELL_H
#define CELLS_CELL_H

#include <stdio.h>

#include "cells/kernel.h"
#include "cells/measure.h"

/* The comparison of a result with the naive twin. */
struct check {
	size_t length;	   /* number of elements of the result */
	size_t compared;   /* number of compared ones: all, or a sample that includes both ends */
	size_t wrong;	   /* number of those whose error exceeds the bound */
	size_t first;	   /* index of the first wrong element ... */
	double value;	   /* ... its value */
	double expected;   /* ... and the correct value */
	uint64_t checksum; /* FNV-1a over the 32-bit words of the whole result */
};

enum cell_status { CELL_OK, CELL_WRONG, CELL_LEFT_OUT, CELL_STOPPED };

struct cell {
	const struct kernel *kernel;
	struct size size;
	enum cell_status status;
	char note[256]; /* why it is wrong, left out or doubtful; else empty */
	struct check check;
	struct times times;
	double mhz_before, mhz_after; /* CPU frequency; 0 if unknown */
};

/* Checks the kernel at this size, and times it if the result is right. If `checked` is not NULL, it
 * is the check of an earlier round, which is not repeated. */
void cell_measure(struct cell *cell, const struct kernel *kernel, struct size size,
		  const struct limits *limits, const struct check *checked);

/* The smallest and the largest of six medians are the ends of a 95 % interval of the median for any
 * distribution: 1 - 2 / 2^6 is 96.9 % (Conover, "Practical nonparametric statistics", 1999, section
 * 3.2). This assumes independent rounds, but disturbances of the machine last longer than a round,
 * and even than a run. So there are more rounds if time allows, and the interval still reaches from
 * the smallest to the largest, so that it holds from run to run (tests/bench/cells.sh). */
enum { ROUNDS_FOR_INTERVAL = 6, ROUNDS_MAX = 24 };

/* One cell, measured several times, with other cells in between. */
struct rounds {
	int count;
	struct cell cells[ROUNDS_MAX];
};

/* Summarises one round or more: the first that is not CELL_OK, if any; else the median of the
 * medians. The interval is that of the medians; with fewer than ROUNDS_FOR_INTERVAL rounds it
 * contains the intervals of all rounds. A change of the CPU frequency is noted. */
struct cell rounds_sum(const struct rounds *rounds);

enum { PROVENANCE_MAX = 256 };

/* Where the cells were measured. Unknown texts are empty. */
struct provenance {
	char host[PROVENANCE_MAX], cpu[PROVENANCE_MAX], system[PROVENANCE_MAX];
	char blas[PROVENANCE_MAX]; /* name, version and core type by the library itself, or its file
				    */
	int blas_threads;	   /* 0 if unknown */
	char compiler[PROVENANCE_MAX], flags[PROVENANCE_MAX], revision[PROVENANCE_MAX];
};
void provenance_fill(struct provenance *provenance);

/* Current frequency of the fastest CPU, as the kernel reports it; 0 if unknown. */
double frequency_mhz(void);

/* Prints the header, and a row of comma-separated values (RFC 4180). */
void cell_print_header(FILE *out);
void cell_print(const struct cell *cell, const struct limits *limits, const struct provenance *p,
		FILE *out);

#endif
