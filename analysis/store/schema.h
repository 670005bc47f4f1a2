/* schema.h: the store's tables and columns; code, SQL and manual are made from them. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

#include <sqlite3.h>

#include "store/run.h"

#define SCHEMA_APPLICATION_ID 0x42505246 /* "BPRF", in the file's header */
/* user_version, in the file's header. New tables and columns do not change it: opening an older
 * store for writing adds them, and until then they read as their defaults. Only a change that older
 * programs cannot read needs a new version. */
#define SCHEMA_VERSION	      4

/* Table 0 is that of the runs; it has the column `id` before its fields. Each other table holds a
 * part of the runs, and has the columns `run` (the run's id) and `seq` (the row's place in the run,
 * from 0) before its fields. The last table is that of the pairs: one row, whose struct is struct
 * run, has all pairs of a run; a run without pairs has no row. */
#define SCHEMA_RUNS	      0
#define SCHEMA_PAIRS	      (1 + RUN_PART_COUNT)
#define SCHEMA_TABLES	      (2 + RUN_PART_COUNT)
extern const struct table *const schema_tables[SCHEMA_TABLES];
/* Measurements of kernels, which belong to no run; a row is a struct cell (store/cell.h). */
extern const struct table schema_cells;

/* Returns the SQL type of a column: "INTEGER", "REAL", "TEXT" or "BLOB". */
const char *schema_sql_type(enum field_type type);

/* Each returns a fresh SQL text, to be freed with sqlite3_free(), or NULL if memory is out.
 * create: creates all tables in an empty file.
 * update: adds the tables and columns that the database lacks; "" if it lacks none.
 * insert: the parameters are (run, seq, columns), or (columns) for runs and cells.
 * select: selects the columns, or the defaults of those that the database lacks, and then the run's
 * id, for the runs ?1 to ?2; for cells, only the columns, for the suite ?1. */
char *schema_sql_create(void);
char *schema_sql_update(sqlite3 *db);
char *schema_sql_insert(sqlite3 *db, const struct table *table);
char *schema_sql_select(sqlite3 *db, const struct table *table);

#endif
