/* cell.h: what was measured of one kernel at one size: a row of what workloads/ceilings prints. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_CELL_H
#define STORE_CELL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum { CELL_WORD = 64, CELL_LINE = 256 };

/* Figures that do not exist are NAN. cell.def says what each field is. */
struct cell {
#define CELL_FIELD(name, kind, unit, doc) CELL_FIELD_##kind(name);
#define CELL_FIELD_INT(name)		  int name
#define CELL_FIELD_INT64(name)		  int64_t name
#define CELL_FIELD_REAL(name)		  double name
#define CELL_FIELD_WORD(name)		  char name[CELL_WORD]
#define CELL_FIELD_LINE(name)		  char name[CELL_LINE]
#include "store/cell.def"
};

/* Reads the values that workloads/ceilings printed (RFC 4180), by the names in the header; `name`
 * is the file's in messages. A row that the file's end cuts off is left out. -1 with *err, and no
 * cells, where the header or a row is not as it should be; else *cells is owned by the caller. */
int cells_read(FILE *file, const char *name, struct cell **cells, size_t *count, struct error *err);

struct store;
/* Loads the cells of a suite, in the order in which they were stored; 0: of the newest. A store
 * that has none, or no such suite, has 0 cells. *cells is owned by the caller. 0, or -1 with *err
 * and no cells. */
int store_load_cells(struct store *store, int64_t suite, struct cell **cells, size_t *count,
		     struct error *err);
/* Adds the cells as a new suite, all or none; *suite is its number. */
int store_save_cells(struct store *store, const struct cell *cells, size_t count, int64_t *suite,
		     struct error *err);

#endif
