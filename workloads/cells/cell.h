/* cell.h: one kernel at one size: checked, timed, and written as one row. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_CELL_H
#define CELLS_CELL_H

#include <stdio.h>

#include "cells/check.h"
#include "cells/measure.h"
#include "cells/provenance.h"

enum cell_status { CELL_OK, CELL_WRONG, CELL_LEFT_OUT, CELL_STOPPED };

struct cell {
	const struct kernel *kernel;
	struct size size;
	enum cell_status status;
	char note[256]; /* why it is wrong or left out, or what makes it doubtful */
	struct check check;
	struct times times;
	double mhz_before, mhz_after;
};

/* Checks the kernel at this size, and times it only where it is right. Where it is known to be, by
 * `checked`, only the latter. */
void cell_measure(struct cell *cell, const struct kernel *kernel, struct size size,
		  const struct limits *limits, const struct check *checked);

/* Says in the row that the frequency was not one and the same; 0 MHz: not known. */
void cell_note_frequency(struct cell *cell, double least_mhz, double most_mhz);

/* The header, and a row of comma-separated values (RFC 4180). */
void cell_print_header(FILE *out);
void cell_print(const struct cell *cell, const struct limits *limits, const struct provenance *p,
		FILE *out);

#endif
