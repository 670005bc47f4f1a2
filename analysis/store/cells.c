/* cells.c: reads the CSV output of workloads/ceilings, and saves and loads it as suites of cells.
 */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/cell.h"
#include "store/db.h"
#include "base/array.h"
#include "base/memory.h"

/* Returns the number of the newest suite, 0 if there are none, or -1 if the store has no table of
 * cells. */
static int64_t newest_suite(sqlite3 *db)
{
	return db_query(db, "SELECT coalesce(max(suite), 0) FROM cells", NULL, NULL, -1);
}

int store_save_cells(struct store *store, const struct cell *cells, size_t count, int64_t *suite,
		     struct error *err)
{
	char *sql = memory_need(schema_sql_insert(store->db, &schema_cells));
	sqlite3_stmt *stmt = NULL;
	int failed = sqlite3_exec(store->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) ||
		     sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

	sqlite3_free(sql);
	if (!failed)
		*suite = newest_suite(store->db) + 1;
	for (size_t i = 0; i < count && !failed; i++) {
		struct cell cell = cells[i];

		cell.suite = *suite;
		failed = row_insert(stmt, 1, &schema_cells, &cell);
	}
	sqlite3_finalize(stmt);
	if (!failed && !sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL))
		return 0;
	db_error(store->db, store->path, "save the cells in", err);
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
		 sqlite3_bind_int64(stmt, 1, suite > 0 ? suite : newest_suite(store->db));
	sqlite3_free(sql);
	while (!failed && sqlite3_step(stmt) == SQLITE_ROW)
		row_read(stmt, &schema_cells, memory_add(cells, count, sizeof **cells));
	failed |= sqlite3_finalize(stmt) != SQLITE_OK;
	if (!failed)
		return 0;
	array_free(cells, count);
	return db_error(store->db, store->path, "read the cells of", err);
}

enum { FIELDS_MAX = 128 };
#define REMEDY "give the output of workloads/ceilings"

struct reader {
	const char *name; /* the file's, for messages */
	size_t line_number;
	char *line;
	size_t line_size;
	char *fields[FIELDS_MAX]; /* of the line */
	size_t nfields;
	int column_of[FIELDS_MAX]; /* the header's fields as columns of cells; -1: unknown */
	size_t width;		   /* number of fields in the header */
};

/* Cuts the first field, without its quotes, off the text. Returns the rest, or NULL at the end. */
static char *take_field(char *text, char **field)
{
	char *to = text, quoted = *text == '"';

	*field = text;
	if (quoted)
		text++;
	for (; *text && (quoted || *text != ','); text++) {
		if (quoted && *text == '"' && *++text != '"') {
			quoted = 0;
			text--;
			continue;
		}
		*to++ = *text;
	}
	text = *text == ',' ? text + 1 : NULL;
	*to = 0;
	return text;
}

/* Reads and splits the next line that ends with a line feed. Returns 0 if there is none. */
static int next_line(struct reader *reader, FILE *file)
{
	char *rest;

	if (getline(&reader->line, &reader->line_size, file) < 0 || !strchr(reader->line, '\n'))
		return 0;
	reader->line_number++;
	rest = reader->line;
	rest[strcspn(rest, "\r\n")] = 0;
	for (reader->nfields = 0; rest && reader->nfields < FIELDS_MAX; reader->nfields++)
		rest = take_field(rest, &reader->fields[reader->nfields]);
	return 1;
}

static int find_columns(struct reader *reader, struct error *err)
{
	int found[FIELDS_MAX] = {0};

	reader->width = reader->nfields;
	for (size_t i = 0; i < reader->nfields; i++) {
		reader->column_of[i] = -1;
		for (size_t c = 0; c < schema_cells.nfields; c++)
			if (!strcmp(reader->fields[i], schema_cells.fields[c].name))
				found[reader->column_of[i] = (int)c] = 1;
	}
	for (size_t c = 0; c < schema_cells.nfields; c++)
		if (!found[c] && schema_cells.fields[c].offset != offsetof(struct cell, suite))
			return error_set(err, REMEDY, "'%s' has no column '%s'", reader->name,
					 schema_cells.fields[c].name);
	return 0;
}

static int read_value(const struct field *column, const char *text, struct cell *cell)
{
	void *field = (char *)cell + column->offset;
	char *end = (char *)text;

	switch (column->type) {
	case FIELD_INT:
		*(int *)field = (int)strtol(text, &end, 10);
		break;
	case FIELD_INT64:
		*(int64_t *)field = strtoll(text, &end, 10);
		break;
	case FIELD_REAL:
		*(double *)field = *text ? strtod(text, &end) : NAN;
		break;
	default:
		snprintf(field, column->size, "%s", text);
		return 0;
	}
	return *end ? -1 : 0;
}

static int read_cell(const struct reader *reader, struct cell *cell, struct error *err)
{
	if (reader->nfields != reader->width)
		return error_set(err, REMEDY, "line %zu of '%s' has %zu fields instead of %zu",
				 reader->line_number, reader->name, reader->nfields, reader->width);
	for (size_t i = 0; i < reader->nfields; i++) {
		const struct field *column;

		if (reader->column_of[i] < 0)
			continue;
		column = &schema_cells.fields[reader->column_of[i]];
		if (read_value(column, reader->fields[i], cell))
			return error_set(err, REMEDY, "line %zu of '%s': %s is not a number",
					 reader->line_number, reader->name, column->name);
	}
	return 0;
}

int cells_read(FILE *file, const char *name, struct cell **cells, size_t *count, struct error *err)
{
	struct reader reader = {.name = name};
	int result;

	*cells = NULL;
	*count = 0;
	if (next_line(&reader, file))
		result = find_columns(&reader, err);
	else
		result = error_set(err, REMEDY, "'%s' has no header", name);
	while (!result && next_line(&reader, file))
		result = read_cell(&reader, memory_add(cells, count, sizeof **cells), err);
	if (!result && ferror(file))
		result = error_set(err, "check that it is a file that you may read",
				   "cannot read '%s': %s", name, strerror(errno));
	free(reader.line);
	if (!result)
		return 0;
	array_free(cells, count);
	return -1;
}
