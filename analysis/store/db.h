/* db.h: what the files of the store share: the open database, its file, its values. Private to
 * profiler/store. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_DB_H
#define STORE_DB_H

#include <sqlite3.h>

#include "store/schema.h"
#include "store/store.h"

struct store {
	sqlite3 *db;
	char *path;
	sqlite3_stmt *insert[SCHEMA_TABLES]; /* NULL until they are first needed */
	sqlite3_stmt *select[SCHEMA_TABLES];
};

/* Looks at the file itself, without SQLite and without a change to it: 0 where it is a store of
 * our version that `mode` can work with, 1 where there is no such file, -1 with *err otherwise. */
int file_check(const char *path, enum store_mode mode, struct error *err);
/* Makes an empty store there, in one step: nobody ever sees half of one. That somebody else was
 * faster is no failure. */
int file_create(const char *path, struct error *err);
/* A connection to the file, which errors call `name`, with our settings; -1 with *err, and *db to
 * be closed all the same. */
int file_open(const char *path, const char *name, enum store_mode mode, sqlite3 **db,
	      struct error *err);

/* Fills *err from the connection's last failure: "cannot <doing> store '<path>': ...". */
int db_error(sqlite3 *db, const char *path, const char *doing, struct error *err);

/* Binds text as row_insert() does, so that it finds what that has stored. */
int value_bind_text(sqlite3_stmt *stmt, int parameter, const char *text);
/* Inserts a row of the table, whose fields are the statement's parameters from `at` on. -1 where it
 * fails. */
int row_insert(sqlite3_stmt *stmt, int at, const struct table *table, const void *row);
/* Takes all fields of a row from the statement's columns, whatever is there: what does not fit the
 * field's type becomes 0, the nearest value or cut text. */
void row_read(sqlite3_stmt *stmt, const struct table *table, void *row);
/* The result column as a fresh string. */
char *value_read_text(sqlite3_stmt *stmt, int result);

#endif
