/* schema.c: the store's tables and columns, and their SQL. */
/* SPDX-License-Identifier: MIT */
#include "store/schema.h"

#include <sqlite3.h>

#include "store/cell.h"

#define COLUMN(row, name, type, unit, doc)                                                         \
	TABLE_FIELD(row, #name, name, FIELD_##type, MERGE_FIRST, unit, doc, 0)
#define ROWS(columns) columns, sizeof(columns) / sizeof(columns)[0]

static const struct field pair_columns[] = {
	COLUMN(run, pairs, PAIRS, "ns",
	       "for each call the time since the previous call and the call's own time, each in "
	       "bytes of 7 bits, the lowest first, with bit 7 set in all but the last"),
};
static const struct table pairs_table = {
	"pairs",
	"the last calls of the only thread that made calls; no row if several did",
	ROWS(pair_columns),
	sizeof(struct run),
};

static const struct field cell_columns[] = {
#define FIELD_WORD			  FIELD_CHARS
#define FIELD_LINE			  FIELD_CHARS
#define CELL_FIELD(name, kind, unit, doc) COLUMN(cell, name, kind, unit, doc),
#include "store/cell.def"
};
const struct table schema_cells = {
	"cells",
	"measurements by workloads/ceilings, one row for each kernel, size, threads and cache",
	ROWS(cell_columns),
	sizeof(struct cell),
};

const struct table *const schema_tables[SCHEMA_TABLES] = {
	&run_table,
#define TABLE(array, part, name, doc) &run_tables[RUN_PART_##part],
#define FIELD(...)
#define INDEX(...)
#include "store/run_tables.def"
	&pairs_table,
};

/* The SQL type of a column, and its value in rows that are older than the column. */
static const struct {
	const char *name, *otherwise;
} sql_types[] = {
	[FIELD_INT] = {"INTEGER", "0"},	  [FIELD_INT64] = {"INTEGER", "0"},
	[FIELD_COUNT] = {"INTEGER", "0"}, [FIELD_REAL] = {"REAL", "NULL"},
	[FIELD_CHAR] = {"TEXT", "''"},	  [FIELD_CHARS] = {"TEXT", "''"},
	[FIELD_STRING] = {"TEXT", "''"},  [FIELD_CODE] = {"TEXT", "''"},
	[FIELD_PAIRS] = {"BLOB", "''"},	  [FIELD_HISTOGRAM] = {"TEXT", "''"},
};

const char *schema_sql_type(enum field_type type)
{
	return sql_types[type].name;
}

/* Returns 1 if the table's rows have their own `id`, 0 if they belong to a run. */
static int has_own_id(const struct table *table)
{
	return table == &run_table || table == &schema_cells;
}

static void append_table(sqlite3_str *sql, const struct table *table)
{
	int has_id = has_own_id(table);

	sqlite3_str_appendf(sql, "CREATE TABLE %s ( -- %s\n", table->name, table->doc);
	sqlite3_str_appendall(
		sql, has_id ? "id INTEGER PRIMARY KEY AUTOINCREMENT, -- the row's number\n"
			    : "run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,\n"
			      "seq INTEGER NOT NULL, -- the row's place in the run, from 0\n");
	for (size_t i = 0; i < table->nfields; i++) {
		const struct field *column = &table->fields[i];

		sqlite3_str_appendf(sql, "%s %s%s -- %s%s%s\n", column->name,
				    schema_sql_type(column->type),
				    i + 1 < table->nfields || !has_id ? "," : "", column->unit,
				    *column->unit ? ": " : "", column->doc);
	}
	sqlite3_str_appendall(sql, has_id ? ");\n" : "PRIMARY KEY (run, seq)) WITHOUT ROWID;\n");
}

char *schema_sql_create(void)
{
	sqlite3_str *sql = sqlite3_str_new(NULL);

	sqlite3_str_appendf(sql,
			    "PRAGMA application_id = %d;\n"
			    "PRAGMA user_version = %d;\nBEGIN;\n",
			    SCHEMA_APPLICATION_ID, SCHEMA_VERSION);
	for (size_t i = 0; i < SCHEMA_TABLES; i++)
		append_table(sql, schema_tables[i]);
	append_table(sql, &schema_cells);
	sqlite3_str_appendall(sql, "CREATE INDEX runs_experiment ON runs (experiment);\nCOMMIT;\n");
	return sqlite3_str_finish(sql);
}

/* Returns 1 if the database has the table and, unless it is NULL, the column. */
static int has(sqlite3 *db, const struct table *table, const char *column)
{
	return !sqlite3_table_column_metadata(db, "main", table->name, column, NULL, NULL, NULL,
					      NULL, NULL);
}

/* Returns 1 if the database is older than the table. New tables come last in run_tables.def, so if
 * the database has a later one, it is damaged instead. */
static int is_older(sqlite3 *db, const struct table *table)
{
	size_t part = (size_t)(table - run_tables);

	if (table < run_tables || part >= RUN_PART_COUNT)
		return 0;
	while (part < RUN_PART_COUNT && !has(db, &run_tables[part], NULL))
		part++;
	return part == RUN_PART_COUNT;
}

char *schema_sql_update(sqlite3 *db)
{
	sqlite3_str *sql = sqlite3_str_new(db);

	for (size_t i = 0; i < SCHEMA_TABLES; i++) {
		const struct table *table = schema_tables[i];
		int is_there = has(db, table, NULL);

		if (!is_there)
			append_table(sql, table);
		for (size_t j = 0; is_there && j < table->nfields; j++) {
			const struct field *column = &table->fields[j];

			if (!has(db, table, column->name))
				sqlite3_str_appendf(
					sql, "ALTER TABLE %s ADD COLUMN %s %s DEFAULT %s;\n",
					table->name, column->name, schema_sql_type(column->type),
					sql_types[column->type].otherwise);
		}
	}
	if (sqlite3_str_length(sql)) {
		sqlite3_str_appendall(sql, "COMMIT;\n");
		return sqlite3_str_finish(sql);
	}
	sqlite3_free(sqlite3_str_finish(sql));
	return sqlite3_mprintf("");
}

/* Appends the names of the columns; instead of those that db (or NULL) lacks, their defaults. */
static void append_names(sqlite3_str *sql, sqlite3 *db, const struct table *table)
{
	for (size_t i = 0; i < table->nfields; i++) {
		const struct field *column = &table->fields[i];

		sqlite3_str_appendf(sql, "%s%s", i ? ", " : "",
				    db && !has(db, table, column->name)
					    ? sql_types[column->type].otherwise
					    : column->name);
	}
}

char *schema_sql_insert(sqlite3 *db, const struct table *table)
{
	int has_id = has_own_id(table);
	sqlite3_str *sql = sqlite3_str_new(NULL);

	sqlite3_str_appendf(sql, "INSERT INTO %s (%s", table->name, has_id ? "" : "run, seq, ");
	append_names(sql, NULL, table);
	sqlite3_str_appendall(sql, has_id ? ") VALUES (?" : ") VALUES (?, ?, ?");
	for (size_t i = 1; i < table->nfields; i++)
		sqlite3_str_appendall(sql, ", ?");
	sqlite3_str_appendall(sql, ")");
	return sqlite3_str_finish(sql);
}

char *schema_sql_select(sqlite3 *db, const struct table *table)
{
	const char *run = table == &run_table ? "id" : "run";
	const char *order = table == &run_table ? "id" : "run, seq";
	sqlite3_str *sql = sqlite3_str_new(NULL);

	sqlite3_str_appendall(sql, "SELECT ");
	if (is_older(db, table)) {
		sqlite3_str_appendall(sql, "?2 WHERE 0");
		return sqlite3_str_finish(sql);
	}
	append_names(sql, db, table);
	if (table == &schema_cells)
		sqlite3_str_appendall(sql, " FROM cells WHERE suite = ?1 ORDER BY id");
	else
		sqlite3_str_appendf(sql, ", %s FROM %s WHERE %s BETWEEN ?1 AND ?2 ORDER BY %s", run,
				    table->name, run, order);
	return sqlite3_str_finish(sql);
}
