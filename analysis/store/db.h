/* db.h: the open database, its file and its values. Private to analysis/store. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_DB_H
#define STORE_DB_H

#include <sqlite3.h>

#include "store/schema.h"
#include "store/store.h"

struct store {
	sqlite3 *db;
	char *path;
	sqlite3_stmt *insert[SCHEMA_TABLES]; /* NULL until first needed */
	sqlite3_stmt *select[SCHEMA_TABLES];
};

/* Checks the file without SQLite and without changing it. Returns 0 if it is a store of our version
 * that can be opened in this mode, 1 if there is no such file, else -1 with *err. */
int file_check(const char *path, enum store_mode mode, struct error *err);
/* Creates an empty store atomically: no other program sees a part of one. Returns 0 also if another
 * program has created it meanwhile, or -1 with *err. */
int file_create(const char *path, struct error *err);
/* Opens a connection with our settings; errors call the file `name`. Returns 0, or -1 with *err;
 * the caller closes *db in both cases. */
int file_open(const char *path, const char *name, enum store_mode mode, sqlite3 **db,
	      struct error *err);

/* Fills *err from the connection's last failure: "cannot <doing> store '<path>': ...". */
int db_error(sqlite3 *db, const char *path, const char *doing, struct error *err);

/* Returns the integer in the first row of the query's result, or `otherwise` if it has none or
 * fails. a and b are the texts for ?1 and ?2, or NULL. */
int64_t db_query(sqlite3 *db, const char *sql, const char *a, const char *b, int64_t otherwise);

/* Binds text the way row_insert() does, so that comparisons find what it stored. Returns a SQLite
 * result code. */
int value_bind_text(sqlite3_stmt *stmt, int parameter, const char *text);
/* Inserts a row; its fields are the statement's parameters from `at` on. Returns 0 or -1. */
int row_insert(sqlite3_stmt *stmt, int at, const struct table *table, const void *row);
/* Reads all fields of a row from the statement's columns. A value that does not fit the field
 * becomes 0 or the nearest value; text is cut. */
void row_read(sqlite3_stmt *stmt, const struct table *table, void *row);
/* Returns the result column as a fresh string. */
const char *value_read_text(sqlite3_stmt *stmt, int result);

#endif
