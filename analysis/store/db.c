/* db.c: opens the store; saves, loads and lists runs. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "store/db.h"

/* Returns the table's statement, prepared when first needed, or NULL on failure. */
static sqlite3_stmt *statement(struct store *store, sqlite3_stmt **stmts, size_t table,
			       char *(*make_sql)(sqlite3 *db, const struct table *))
{
	char *sql;

	if (stmts[table])
		return stmts[table];
	sql = make_sql(store->db, schema_tables[table]);
	if (sql)
		sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmts[table],
				   NULL);
	sqlite3_free(sql);
	return stmts[table];
}

/* Checks that the store has our tables, by preparing the statements that load runs. */
static int check_tables(struct store *store, struct error *err)
{
	for (size_t i = 0; i < SCHEMA_TABLES; i++)
		if (!statement(store, store->select, i, schema_sql_select))
			return db_error(store->db, store->path, "read", err);
	return 0;
}

static int execute(struct store *store, const char *sql)
{
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) ? -1 : 0;
}

/* Adds the tables and columns that an older store lacks. */
static int update_tables(struct store *store, struct error *err)
{
	char *sql = memory_need(schema_sql_update(store->db));
	int is_old = *sql != '\0', failed;

	sqlite3_free(sql);
	if (!is_old)
		return 0;
	for (size_t i = 0; i < SCHEMA_TABLES; i++) {
		sqlite3_finalize(store->select[i]);
		store->select[i] = NULL;
	}
	failed = execute(store, "BEGIN IMMEDIATE");
	/* again, now with the lock: another program may have updated it meanwhile */
	sql = memory_need(schema_sql_update(store->db));
	failed = failed || execute(store, *sql ? sql : "COMMIT");
	sqlite3_free(sql);
	if (failed)
		return db_error(store->db, store->path, "bring up to date the", err);
	return check_tables(store, err);
}

static int open_file(struct store *store, enum store_mode mode, struct error *err)
{
	int found = file_check(store->path, mode, err);

	if (found == 1 && mode == STORE_CREATE)
		found = file_create(store->path, err) ? -1 : file_check(store->path, mode, err);
	if (found == 1 && mode == STORE_CREATE)
		return error_set(err, "remove the link, or name another store",
				 "'%s' is a link to a file that does not exist", store->path);
	if (found == 1)
		return error_set(err, "record a run first: blasprof -- command",
				 "there is no store '%s'", store->path);
	if (found || file_open(store->path, store->path, mode, &store->db, err) ||
	    check_tables(store, err))
		return -1;
	return mode == STORE_CREATE ? update_tables(store, err) : 0;
}

int store_open(struct store **store, const char *path, enum store_mode mode, struct error *err)
{
	*store = memory_rows(1, sizeof **store);
	(*store)->path = memory_text(path);
	if (!open_file(*store, mode, err))
		return 0;
	store_close(*store);
	*store = NULL;
	return -1;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < SCHEMA_TABLES; i++) {
		sqlite3_finalize(store->insert[i]);
		sqlite3_finalize(store->select[i]);
	}
	sqlite3_close(store->db);
	free(store->path);
	free(store);
}

const char *store_path(const struct store *store)
{
	return store->path;
}

/* Inserts one row, with `id` and `seq` before its columns unless it is a run (id 0). */
static int insert_row(struct store *store, size_t table, int64_t id, size_t seq, const void *row)
{
	sqlite3_stmt *stmt = statement(store, store->insert, table, schema_sql_insert);

	if (!stmt ||
	    (id && (sqlite3_bind_int64(stmt, 1, id) || sqlite3_bind_int64(stmt, 2, (int64_t)seq))))
		return -1;
	return row_insert(stmt, id ? 3 : 1, schema_tables[table], row);
}

static int insert_run(struct store *store, const struct run *run, int64_t *id)
{
	if (insert_row(store, SCHEMA_RUNS, 0, 0, run))
		return -1;
	*id = sqlite3_last_insert_rowid(store->db);
	for (size_t table = 1; table < SCHEMA_PAIRS; table++) {
		enum run_part part = (enum run_part)(table - 1);

		for (size_t i = 0; i < table_count(&run_tables[part], run); i++)
			if (insert_row(store, table, *id, i, table_row(&run_tables[part], run, i)))
				return -1;
	}
	return run->npairs ? insert_row(store, SCHEMA_PAIRS, *id, 0, run) : 0;
}

int64_t db_query(sqlite3 *db, const char *sql, const char *a, const char *b, int64_t otherwise)
{
	sqlite3_stmt *stmt = NULL;

	if (!sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) && (!a || !value_bind_text(stmt, 1, a)) &&
	    (!b || !value_bind_text(stmt, 2, b)) && sqlite3_step(stmt) == SQLITE_ROW)
		otherwise = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return otherwise;
}

/* Returns the number of the stored run that was recorded in the same session, or 0. */
static int64_t find_session(struct store *store, const struct run *run)
{
	const char *session = run_fact(run, "session");

	return session ? db_query(store->db,
				  "SELECT id FROM runs WHERE started = ?1 AND EXISTS (SELECT 1 "
				  "FROM facts WHERE run = id AND name = 'session' AND value = ?2)",
				  run->started, session, 0)
		       : 0;
}

int store_save_run(struct store *store, struct run *run, struct error *err)
{
	int64_t id = 0;

	if (execute(store, "BEGIN IMMEDIATE"))
		return db_error(store->db, store->path, "save the run in", err);
	run->id = find_session(store, run);
	if (run->id) {
		execute(store, "ROLLBACK");
		return 1;
	}
	if (!insert_run(store, run, &id) && !execute(store, "COMMIT")) {
		run->id = id;
		return 0;
	}
	db_error(store->db, store->path, "save the run in", err);
	execute(store, "ROLLBACK");
	/* A commit that succeeded still fails if it cannot release the lock afterwards. */
	run->id = find_session(store, run);
	return run->id ? 0 : -1;
}

/* Loads the rows of a table, for runs whose ids are in sequence. */
static int load_sequence(struct store *store, size_t table, struct run *runs, size_t count,
			 struct error *err)
{
	int is_own = table == SCHEMA_RUNS || table == SCHEMA_PAIRS, result = 0, rc;
	sqlite3_stmt *stmt = store->select[table];
	const struct table *its = schema_tables[table];
	uint64_t first_id = (uint64_t)runs[0].id;

	sqlite3_bind_int64(stmt, 1, runs[0].id);
	sqlite3_bind_int64(stmt, 2, runs[count - 1].id);
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		uint64_t at = (uint64_t)sqlite3_column_int64(stmt, (int)its->nfields) - first_id;

		if (at < count) /* or the store is damaged */
			row_read(stmt, its, is_own ? &runs[at] : table_add(its, &runs[at]));
	}
	if (rc != SQLITE_DONE)
		result = db_error(store->db, store->path, "read", err);
	sqlite3_reset(stmt);
	return result;
}

/* Loads the runs' rows of a table; those of runs and pairs are struct run itself. */
static int load_rows(struct store *store, size_t table, struct run *runs, size_t count,
		     struct error *err)
{
	for (size_t length; count; runs += length, count -= length) {
		length = 1;
		while (length < count && (uint64_t)runs[length].id == (uint64_t)runs->id + length)
			length++;
		if (load_sequence(store, table, runs, length, err))
			return -1;
	}
	return 0;
}

int store_load_more(struct store *store, unsigned int parts, struct run *runs, size_t count,
		    struct error *err)
{
	for (size_t table = 1; table < SCHEMA_PAIRS; table++)
		if (parts & STORE_PART((enum run_part)(table - 1)) &&
		    load_rows(store, table, runs, count, err))
			return -1;
	return 0;
}

static int load_parts(struct store *store, unsigned int parts, struct run *runs, size_t count,
		      struct error *err)
{
	if (load_rows(store, SCHEMA_RUNS, runs, count, err))
		return -1;
	EACH_ROW(run, runs, count)
		if (!run->experiment) {
			char remedy[sizeof err->remedy];

			snprintf(remedy, sizeof remedy,
				 "see the runs there are: blasprof list -i '%s'", store->path);
			return error_set(err, remedy, "there is no run %lld in store '%s'",
					 (long long)run->id, store->path);
		}
	return store_load_more(store, parts, runs, count, err);
}

int store_load_parts(struct store *store, int64_t id, unsigned int parts, struct run *run,
		     struct error *err)
{
	int result;

	run_init(run);
	run->id = id;
	if (execute(store, "BEGIN"))
		return db_error(store->db, store->path, "read", err);
	result = load_parts(store, parts, run, 1, err);
	execute(store, "COMMIT");
	if (result)
		run_free(run);
	return result;
}

int store_load_pairs(struct store *store, struct run *run, struct error *err)
{
	return load_rows(store, SCHEMA_PAIRS, run, 1, err);
}

int store_has_scripts(struct store *store, const char *experiment)
{
	return db_query(store->db,
			"SELECT EXISTS (SELECT 1 FROM frames WHERE run IN (SELECT id FROM runs"
			" WHERE experiment = ?1 ORDER BY id DESC LIMIT 100)"
			" AND instr(function, ' ('))",
			experiment, NULL, 1) != 0;
}

int store_load_experiment(struct store *store, const char *experiment, unsigned int parts,
			  struct run **runs, size_t *count, struct error *err)
{
	static const char sql[] =
		"SELECT id FROM runs WHERE ?1 IS NULL OR experiment = ?1 ORDER BY id";
	sqlite3_stmt *ids = NULL;
	int rc = SQLITE_DONE, result = 0;

	*runs = NULL;
	*count = 0;
	if (execute(store, "BEGIN") || sqlite3_prepare_v2(store->db, sql, -1, &ids, NULL) ||
	    (experiment && value_bind_text(ids, 1, experiment)))
		result = db_error(store->db, store->path, "read", err);
	while (!result && (rc = sqlite3_step(ids)) == SQLITE_ROW) {
		struct run *run = memory_add(runs, count, sizeof *run);

		run_init(run);
		run->id = sqlite3_column_int64(ids, 0);
	}
	if (!result && rc != SQLITE_DONE)
		result = db_error(store->db, store->path, "read", err);
	if (!result)
		result = load_parts(store, parts, *runs, *count, err);
	sqlite3_finalize(ids);
	execute(store, "COMMIT");
	if (result)
		store_free_runs(runs, count);
	return result;
}

void store_free_runs(struct run **runs, size_t *count)
{
	for (size_t i = 0; i < *count; i++)
		run_free(&(*runs)[i]);
	array_free(runs, count);
}

/* The largest number of a run's threads with BLAS calls that were alive at once, without those that
 * compute for less than 5 % of the busiest one's time. */
#define AT_ONCE                                                                                    \
	"(WITH callers AS (SELECT start_ns, end_ns, 20 * (blas_ns + other_ns) >= "                 \
	"max(blas_ns + other_ns) OVER () AS take_part FROM threads WHERE run = runs.id AND "       \
	"calls > 0) SELECT max(alive) FROM (SELECT sum(step) OVER (ORDER BY at, step) AS alive "   \
	"FROM (SELECT start_ns AS at, 1 AS step FROM callers WHERE take_part "                     \
	"UNION ALL SELECT end_ns, -1 FROM callers WHERE take_part)))"
/* The columns of a struct store_entry between `id` and `runs`. */
#define ENTRY_COLUMNS                                                                              \
	", experiment, command, started, exit_status, elapsed_ns,"                                 \
	" (SELECT CAST(total(calls) AS INTEGER) FROM threads WHERE run = runs.id), what_if,"       \
	" CASE WHEN threads_requested > 0 THEN threads_requested ELSE " AT_ONCE " END, "

static int list_rows(struct store *store, const char *sql, const char *experiment,
		     struct store_list *list, struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

	*list = (struct store_list){0};
	if (!rc && experiment)
		rc = value_bind_text(stmt, 1, experiment);
	while ((!rc || rc == SQLITE_ROW) && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct store_entry *entry = memory_add(&list->entries, &list->count, sizeof *entry);

		entry->id = sqlite3_column_int64(stmt, 0);
		entry->experiment = value_read_text(stmt, 1);
		entry->command = value_read_text(stmt, 2);
		snprintf(entry->started, sizeof entry->started, "%s", value_read_text(stmt, 3));
		entry->exit_status = sqlite3_column_int(stmt, 4);
		entry->elapsed_ns = sqlite3_column_int64(stmt, 5);
		entry->calls = (uint64_t)sqlite3_column_int64(stmt, 6);
		snprintf(entry->what_if, sizeof entry->what_if, "%s", value_read_text(stmt, 7));
		entry->threads = sqlite3_column_int(stmt, 8);
		entry->runs = (size_t)sqlite3_column_int64(stmt, 9);
	}
	if (rc != SQLITE_DONE) {
		db_error(store->db, store->path, "read", err);
		store_list_free(list);
	}
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? 0 : -1;
}

int store_list_runs(struct store *store, const char *experiment, struct store_list *list,
		    struct error *err)
{
	return list_rows(store,
			 "SELECT id" ENTRY_COLUMNS "1 FROM runs"
			 " WHERE ?1 IS NULL OR experiment = ?1 ORDER BY id",
			 experiment, list, err);
}

/* With max(), SQLite takes the other columns from the row that has it. */
int store_list_experiments(struct store *store, struct store_list *list, struct error *err)
{
	return list_rows(store,
			 "SELECT max(id)" ENTRY_COLUMNS "count(*) FROM runs"
			 " GROUP BY experiment ORDER BY 1",
			 NULL, list, err);
}

void store_list_free(struct store_list *list)
{
	free(list->entries);
	*list = (struct store_list){0};
}

const char *store_newest_experiment(struct store *store, struct error *err)
{
	static const char sql[] = "SELECT experiment FROM runs ORDER BY id DESC LIMIT 1";
	const char *experiment = NULL;
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

	rc = rc ? rc : sqlite3_step(stmt);
	if (rc == SQLITE_ROW)
		experiment = value_read_text(stmt, 0);
	else if (rc == SQLITE_DONE)
		error_set(err, "record a run first: blasprof -- command", "store '%s' holds no run",
			  store->path);
	else
		db_error(store->db, store->path, "read", err);
	sqlite3_finalize(stmt);
	return experiment;
}
