/* list.c: lists the store's runs and experiments without loading them. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/db.h"
#include "base/array.h"
#include "base/memory.h"

/* Ends a query; rc is the result of its last step. Returns 0, or -1 with *err if it failed. */
static int end_query(struct store *store, sqlite3_stmt *stmt, int rc, struct error *err)
{
	int result = rc == SQLITE_DONE ? 0 : db_error(store->db, store->path, "read", err);

	sqlite3_finalize(stmt);
	return result;
}

/* The largest number of a run's threads with BLAS calls that were alive at once. */
#define AT_ONCE                                                                                    \
	"(SELECT max(alive) FROM (SELECT sum(step) OVER (ORDER BY at, step) AS alive FROM "        \
	"(SELECT start_ns AS at, 1 AS step FROM threads WHERE run = runs.id AND calls > 0 "        \
	"UNION ALL SELECT end_ns, -1 FROM threads WHERE run = runs.id AND calls > 0)))"

int store_list_runs(struct store *store, const char *experiment, struct store_list *list,
		    struct error *err)
{
	static const char sql[] =
		"SELECT id, experiment, command, started, threads_requested, exit_status,"
		" elapsed_ns, roi_ns, (SELECT CAST(total(calls) AS INTEGER) FROM threads WHERE run "
		"= id), what_if, CASE WHEN threads_requested > 0 THEN threads_requested "
		"ELSE " AT_ONCE " END"
		" FROM runs WHERE ?1 IS NULL OR experiment = ?1 ORDER BY id";
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

	*list = (struct store_list){0};
	if (!rc && experiment)
		rc = value_bind_text(stmt, 1, experiment);
	while ((!rc || rc == SQLITE_ROW) && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct store_entry *entry = memory_add(&list->entries, &list->count, sizeof *entry);
		char *started = value_read_text(stmt, 3), *what_if = value_read_text(stmt, 9);

		entry->id = sqlite3_column_int64(stmt, 0);
		entry->experiment = value_read_text(stmt, 1);
		entry->command = value_read_text(stmt, 2);
		snprintf(entry->started, sizeof entry->started, "%s", started);
		entry->threads_requested = sqlite3_column_int(stmt, 4);
		entry->threads = sqlite3_column_int(stmt, 10);
		entry->exit_status = sqlite3_column_int(stmt, 5);
		entry->elapsed_ns = sqlite3_column_int64(stmt, 6);
		entry->roi_ns = sqlite3_column_int64(stmt, 7);
		entry->calls = (uint64_t)sqlite3_column_int64(stmt, 8);
		snprintf(entry->what_if, sizeof entry->what_if, "%s", what_if);
		free(what_if);
		free(started);
	}
	if (!end_query(store, stmt, rc, err))
		return 0;
	store_list_free(list);
	return -1;
}

void store_list_free(struct store_list *list)
{
	EACH_ROW(entry, list->entries, list->count) {
		free(entry->experiment);
		free(entry->command);
	}
	free(list->entries);
	*list = (struct store_list){0};
}

int store_list_experiments(struct store *store, struct store_experiments *list, struct error *err)
{
	static const char sql[] = "SELECT experiment, count(*), max(id) AS newest FROM runs"
				  " GROUP BY experiment ORDER BY newest";
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

	*list = (struct store_experiments){0};
	while ((!rc || rc == SQLITE_ROW) && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct store_experiment *row = memory_add(&list->rows, &list->count, sizeof *row);

		row->name = value_read_text(stmt, 0);
		row->runs = (size_t)sqlite3_column_int64(stmt, 1);
		row->newest_id = sqlite3_column_int64(stmt, 2);
	}
	if (!end_query(store, stmt, rc, err))
		return 0;
	store_experiments_free(list);
	return -1;
}

void store_experiments_free(struct store_experiments *list)
{
	EACH_ROW(row, list->rows, list->count)
		free(row->name);
	free(list->rows);
	*list = (struct store_experiments){0};
}

int store_newest_experiment(struct store *store, char **experiment, struct error *err)
{
	struct store_experiments list;

	*experiment = NULL;
	if (store_list_experiments(store, &list, err))
		return -1;
	if (list.count)
		*experiment = memory_text(list.rows[list.count - 1].name);
	else
		error_set(err, "record a run first: blasprof -- command", "store '%s' holds no run",
			  store->path);
	store_experiments_free(&list);
	return *experiment ? 0 : -1;
}
