/* cells.c: saves and loads what was measured of kernels, a suite at a time. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "store/cell.h"
#include "store/db.h"
#include "base/memory.h"

/* The number after the last suite's; -1 where the store has no table of cells. */
static int64_t next_suite(sqlite3 *db)
{
	sqlite3_stmt *stmt;
	int64_t suite = -1;

	sqlite3_prepare_v2(db, "SELECT coalesce(max(suite), 0) + 1 FROM cells", -1, &stmt, NULL);
	if (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		suite = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return suite;
}

static int insert_cells(sqlite3 *db, const struct cell *cells, size_t count, int64_t suite)
{
	char *sql = schema_sql_insert(db, &schema_cells);
	sqlite3_stmt *stmt = NULL;
	int failed = suite < 0 || !sql || sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);

	for (size_t i = 0; i < count && !failed; i++) {
		struct cell cell = cells[i];

		cell.suite = suite;
		failed = row_insert(stmt, 1, &schema_cells, &cell);
	}
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	return failed ? -1 : 0;
}

int store_save_cells(struct store *store, const struct cell *cells, size_t count, int64_t *suite,
		     struct error *err)
{
	static const char doing[] = "save the cells in";

	if (sqlite3_exec(store->db, "BEGIN IMMEDIATE", NULL, NULL, NULL))
		return db_error(store->db, store->path, doing, err);
	*suite = next_suite(store->db);
	if (!insert_cells(store->db, cells, count, *suite) &&
	    !sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL))
		return 0;
	db_error(store->db, store->path, doing, err);
	sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return -1;
}

int store_load_cells(struct store *store, int64_t suite, struct cell **cells, size_t *count,
		     struct error *err)
{
	char *sql = memory_need(schema_sql_select(store->db, &schema_cells));
	sqlite3_stmt *stmt = NULL;
	int failed;

	*cells = NULL;
	*count = 0;
	failed = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL) ||
		 sqlite3_bind_int64(stmt, 1, suite > 0 ? suite : next_suite(store->db) - 1);
	sqlite3_free(sql);
	while (!failed && sqlite3_step(stmt) == SQLITE_ROW)
		row_read(stmt, &schema_cells, memory_add(cells, count, sizeof **cells));
	failed |= sqlite3_finalize(stmt) != SQLITE_OK;
	if (!failed)
		return 0;
	free(*cells);
	*cells = NULL;
	*count = 0;
	return db_error(store->db, store->path, "read the cells of", err);
}
