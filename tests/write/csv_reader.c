/* csv_reader.c: reads CSV (RFC 4180) back, for tests. */
/* SPDX-License-Identifier: MIT */
#include "csv_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int csv_read(const char *text, struct csv *csv)
{
	size_t count = 0, fields = 0;

	memset(csv, 0, sizeof *csv);
	while (*text) {
		char **cell = array_add(&csv->cells, &count, sizeof *cell), *to;
		int quoted = *text == '"';

		to = *cell = malloc(strlen(text) + 1);
		text += quoted;
		while (*text &&
		       (quoted ? *text != '"' || text[1] == '"' : !strchr(",\r\n\"", *text))) {
			text += *text == '"';
			*to++ = *text++;
		}
		*to = '\0';
		if (quoted && *text++ != '"')
			return -1;
		fields++;
		if (*text == ',') {
			text++;
			continue;
		}
		if (strncmp(text, "\r\n", 2) != 0 || (csv->rows && fields != csv->columns))
			return -1;
		text += 2;
		csv->columns = fields;
		csv->rows++;
		fields = 0;
	}
	return fields ? -1 : 0;
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
