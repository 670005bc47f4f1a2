/* csv_reader.c: reads CSV (RFC 4180) back, for tests. */
/* SPDX-License-Identifier: MIT */
#include "csv_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Reads one field into a fresh string, and leaves *text after it. NULL where it is malformed. */
static char *read_field(const char **text)
{
	char *field = malloc(strlen(*text) + 1), *to = field;
	int quoted = **text == '"';

	*text += quoted;
	while (**text && (quoted || !strchr(",\r\n", **text))) {
		if (quoted && **text == '"' && (*text)[1] != '"')
			break;
		if (!quoted && **text == '"')
			goto malformed;
		*text += quoted && **text == '"';
		*to++ = *(*text)++;
	}
	*to = '\0';
	if (quoted && *(*text)++ != '"')
		goto malformed;
	return field;
malformed:
	free(field);
	return NULL;
}

static int read_row(const char **text, struct csv *csv, size_t *count)
{
	size_t fields = 0;

	for (;;) {
		char **cell = array_add(&csv->cells, count, sizeof *cell);

		*cell = read_field(text);
		if (!*cell)
			return -1;
		fields++;
		if (**text != ',')
			break;
		(*text)++;
	}
	if (strncmp(*text, "\r\n", 2) || (csv->rows && fields != csv->columns))
		return -1;
	*text += 2;
	csv->columns = fields;
	csv->rows++;
	return 0;
}

int csv_read(const char *text, struct csv *csv)
{
	size_t count = 0;

	memset(csv, 0, sizeof *csv);
	while (*text)
		if (read_row(&text, csv, &count))
			return -1;
	return 0;
}

void csv_free(struct csv *csv)
{
	for (size_t i = 0; i < csv->rows * csv->columns; i++)
		free(csv->cells[i]);
	free(csv->cells);
	memset(csv, 0, sizeof *csv);
}

const char *csv_cell(const struct csv *csv, size_t row, const char *column)
{
	for (size_t i = 0; i < csv->columns && row < csv->rows; i++)
		if (!strcmp(csv->cells[i], column))
			return csv->cells[row * csv->columns + i];
	return NULL;
}
