/* cell.h: a measurement of one kernel at one size: a row of the output of workloads/ceilings. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_CELL_H
#define STORE_CELL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum { CELL_WORD = 64, CELL_LINE = 256 };

/* cell.def documents the fields. Missing numbers are NAN. */
struct cell {
#define CELL_FIELD(name, kind, unit, doc) CELL_FIELD_##kind(name);
#define CELL_FIELD_INT(name)		  int name
#define CELL_FIELD_INT64(name)		  int64_t name
#define CELL_FIELD_REAL(name)		  double name
#define CELL_FIELD_WORD(name)		  char name[CELL_WORD]
#define CELL_FIELD_LINE(name)		  char name[CELL_LINE]
#include "store/cell.def"
};

/* Reads the CSV output (RFC 4180) of workloads/ceilings into a fresh array *cells. Columns are
 * found by their names in the header. `name` is the file's name in messages. A last row without a
 * line feed is ignored. Returns 0, or -1 with *err and no cells if the header or a row is wrong. */
int cells_read(FILE *file, const char *name, struct cell **cells, size_t *count, struct error *err);

struct store;
/* Loads the cells of a suite, in the order in which they were stored, into a fresh array *cells;
 * suite 0 is the newest. There are 0 cells if the store has none or no such suite. Returns 0, or -1
 * with *err and no cells. */
int store_load_cells(struct store *store, int64_t suite, struct cell **cells, size_t *count,
		     struct error *err);
/* Saves the cells as a new suite, in one transaction, and sets *suite to its number. Returns 0, or
 * -1 with *err. */
int store_save_cells(struct store *store, const struct cell *cells, size_t count, int64_t *suite,
		     struct error *err);

#endif
