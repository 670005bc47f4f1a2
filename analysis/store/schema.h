/* schema.h: the store's tables and columns, each with its meaning: code, SQL and manual come from
 * these rows. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

#include <stddef.h>

#include "store/run.h"

#define SCHEMA_APPLICATION_ID 0x42505246 /* "BPRF", in the file's header */
#define SCHEMA_VERSION	      4		 /* user_version, in the file's header */

/* How a field of a struct is kept in a column. Text that is not UTF-8 is kept as a BLOB of the
 * same bytes; NULL strings become ''. */
enum column_type {
	COLUMN_INT,	  /* int; INTEGER */
	COLUMN_INT64,	  /* int64_t; INTEGER */
	COLUMN_COUNT,	  /* uint64_t; INTEGER with the same 64 bits */
	COLUMN_REAL,	  /* double; REAL, NULL where it is not a number */
	COLUMN_CHAR,	  /* char; TEXT of one character or none */
	COLUMN_CHARS,	  /* char[]; TEXT */
	COLUMN_STRING,	  /* char *; TEXT */
	COLUMN_CODE,	  /* enum run_code; TEXT, its name */
	COLUMN_PAIRS,	  /* the pairs of struct run; BLOB */
	COLUMN_HISTOGRAM, /* uint64_t[RUN_HISTOGRAM_BUCKETS]; TEXT "bucket:count bucket:count ..."
			   */
};

struct schema_column {
	const char *name;
	enum column_type type;
	size_t offset, size; /* of the field in its struct */
	const char *unit;    /* "ns", "flops", "calls", "" */
	const char *doc;     /* one line */
};

/* The table of runs is row 0 and holds struct run; it has `id` besides its columns. The others
 * hold a part of the run each, and have besides `run` (the run's id) and `seq` (the row's place in
 * the run, from 0). The last is that of the pairs: it holds them all in one row, whose struct is
 * struct run, and has none for a run without pairs. */
struct schema_table {
	const char *name;
	const char *doc;
	enum run_part part; /* RUN_PART_COUNT: its row is struct run */
	const struct schema_column *columns;
	size_t ncolumns;
};
#define SCHEMA_RUNS   0
#define SCHEMA_PAIRS  (1 + RUN_PART_COUNT)
#define SCHEMA_TABLES (2 + RUN_PART_COUNT)
extern const struct schema_table schema_tables[SCHEMA_TABLES];
/* Besides: what was measured of kernels, apart from any run; rows hold struct cell (store/cell.h).
 */
extern const struct schema_table schema_cells;

/* SQL type of the column: "INTEGER", "REAL", "TEXT" or "BLOB". */
const char *schema_sql_type(enum column_type type);

/* SQL texts made from the rows, to be freed with sqlite3_free(); NULL when memory is out. The
 * first creates everything in an empty file; INSERT takes the values in the order (run, seq,
 * columns) or, for runs and cells, (columns); SELECT gives the columns, for ?1 = the run's id or the
 * suite's number. */
char *schema_sql_create(void);
char *schema_sql_insert(const struct schema_table *table);
char *schema_sql_select(const struct schema_table *table);

#endif
