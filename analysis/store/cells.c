/* cells.c: saves and loads what was measured of kernels, a suite at a time. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "store/cell.h"
#include "store/db.h"
#include "base/array.h"

static int insert_cell(sqlite3_stmt *stmt, const struct cell *cell)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; i < schema_cells.nfields && !rc; i++)
		rc = value_bind(stmt, (int)i + 1, &schema_cells.fields[i], cell);
	rc = rc ? rc : sqlite3_step(stmt);
	sqlite3_reset(stmt);
	return rc == SQLITE_DONE ? 0 : -1;
}

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
		failed = insert_cell(stmt, &cell);
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

static int read_cell(sqlite3_stmt *stmt, struct cell *cell)
{
	for (size_t i = 0; i < schema_cells.nfields; i++)
		if (value_read(stmt, (int)i, &schema_cells.fields[i], cell))
			return -1;
	return 0;
}

/* Steps through the rows; -1 when memory is out. */
static int read_cells(sqlite3_stmt *stmt, struct cell **cells, size_t *count)
{
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		struct cell *cell = array_add(cells, count, sizeof *cell);

		if (!cell || read_cell(stmt, cell))
			return -1;
	}
	return 0;
}

int store_load_cells(struct store *store, int64_t suite, struct cell **cells, size_t *count,
		     struct error *err)
{
	char *sql = schema_sql_select(store->db, &schema_cells);
	sqlite3_stmt *stmt = NULL;
	int failed;

	*cells = NULL;
	*count = 0;
	if (!sql)
		return error_out_of_memory(err);
	failed = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL) ||
		 sqlite3_bind_int64(stmt, 1, suite > 0 ? suite : next_suite(store->db) - 1);
	sqlite3_free(sql);
	if (!failed && read_cells(stmt, cells, count)) {
		sqlite3_finalize(stmt);
		free(*cells);
		*cells = NULL;
		*count = 0;
		return error_out_of_memory(err);
	}
	if (sqlite3_finalize(stmt) || failed) {
		free(*cells);
		*cells = NULL;
		*count = 0;
		return db_error(store->db, store->path, "read the cells of", err);
	}
	return 0;
}
