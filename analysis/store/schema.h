/* schema.h: the store's tables and columns, each with its meaning: code, SQL and manual come from
 * these rows. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

#include <sqlite3.h>
#include <stddef.h>

#include "store/run.h"

#define SCHEMA_APPLICATION_ID 0x42505246 /* "BPRF", in the file's header */
/* user_version, in the file's header. What a row of the tables adds leaves it as it is: stores
 * without the column or table are brought up to date when they are opened for writing, and it reads
 * as its default until then. Only what older programs cannot read takes another version. */
#define SCHEMA_VERSION	      4

/* The table of runs is row 0; it has `id` besides its fields. The others hold a part of the run
 * each, and have besides `run` (the run's id) and `seq` (the row's place in the run, from 0). The
 * last is that of the pairs: it holds them all in one row, whose struct is struct run, and has none
 * for a run without pairs. */
#define SCHEMA_RUNS	      0
#define SCHEMA_PAIRS	      (1 + RUN_PART_COUNT)
#define SCHEMA_TABLES	      (2 + RUN_PART_COUNT)
extern const struct table *const schema_tables[SCHEMA_TABLES];
/* Besides: what was measured of kernels, apart from any run; rows hold struct cell (store/cell.h).
 */
extern const struct table schema_cells;

/* SQL type of the column: "INTEGER", "REAL", "TEXT" or "BLOB". */
const char *schema_sql_type(enum field_type type);

/* SQL texts made from the rows, to be freed with sqlite3_free(); NULL when memory is out. The
 * first creates everything in an empty file, the second adds what the database lacks ("": nothing);
 * INSERT takes the values in the order (run, seq, columns) or, for runs and cells, (columns);
 * SELECT gives the columns, for ?1 = the run's id or the suite's number, and the default of those
 * that the database lacks. */
char *schema_sql_create(void);
char *schema_sql_update(sqlite3 *db);
char *schema_sql_insert(sqlite3 *db, const struct table *table);
char *schema_sql_select(sqlite3 *db, const struct table *table);

#endif
