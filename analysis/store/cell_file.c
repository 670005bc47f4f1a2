/* cell_file.c: reads the comma-separated values that workloads/ceilings prints. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/cell.h"
#include "store/schema.h"
#include "base/memory.h"

enum { FIELDS_MAX = 128 };
#define REMEDY "give what workloads/ceilings printed"

/* Where reading is, and which of the file's fields is which column. */
struct reader {
	const char *name;
	size_t line_number;
	char *line;
	char *fields[FIELDS_MAX];
	size_t nfields;
	int column_of[FIELDS_MAX]; /* -1: none of ours */
	size_t width;		   /* fields of the header */
};

/* Takes one field off the text, its quotes off it; returns what follows it, or NULL at the end. */
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
	if (*text == ',') {
		*to = 0;
		return text + 1;
	}
	*to = 0;
	return NULL;
}

static void split_line(struct reader *reader)
{
	char *rest = reader->line;

	rest[strcspn(rest, "\r\n")] = 0;
	for (reader->nfields = 0; rest && reader->nfields < FIELDS_MAX; reader->nfields++)
		rest = take_field(rest, &reader->fields[reader->nfields]);
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
		return *end ? -1 : 0;
	case FIELD_INT64:
		*(int64_t *)field = strtoll(text, &end, 10);
		return *end ? -1 : 0;
	case FIELD_REAL:
		*(double *)field = *text ? strtod(text, &end) : NAN;
		return *end ? -1 : 0;
	default:
		snprintf(field, column->size, "%s", text);
		return 0;
	}
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
			return error_set(err, REMEDY, "line %zu of '%s': %s is no number",
					 reader->line_number, reader->name, column->name);
	}
	return 0;
}

/* The next line that has an end: 1, or 0 where there is none. */
static int next_line(struct reader *reader, size_t *size, FILE *file)
{
	if (getline(&reader->line, size, file) < 0 || !strchr(reader->line, '\n'))
		return 0;
	reader->line_number++;
	return 1;
}

static int read_rows(struct reader *reader, FILE *file, struct cell **cells, size_t *count,
		     struct error *err)
{
	size_t size = 0;

	if (!next_line(reader, &size, file))
		return error_set(err, REMEDY, "'%s' has no header", reader->name);
	split_line(reader);
	if (find_columns(reader, err))
		return -1;
	while (next_line(reader, &size, file)) {
		struct cell *cell = memory_add(cells, count, sizeof *cell);

		split_line(reader);
		if (read_cell(reader, cell, err))
			return -1;
	}
	if (ferror(file))
		return error_set(err, "see whether it is a file that you may read",
				 "cannot read '%s': %s", reader->name, strerror(errno));
	return 0;
}

int cells_read(FILE *file, const char *name, struct cell **cells, size_t *count, struct error *err)
{
	struct reader reader = {.name = name};
	int result;

	*cells = NULL;
	*count = 0;
	result = read_rows(&reader, file, cells, count, err);
	free(reader.line);
	if (result) {
		free(*cells);
		*cells = NULL;
		*count = 0;
	}
	return result;
}
