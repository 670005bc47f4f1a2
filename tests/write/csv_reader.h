/* csv_reader.h: reads CSV (RFC 4180) back, for tests. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_WRITE_CSV_READER_H
#define TESTS_WRITE_CSV_READER_H

#include <stddef.h>

struct csv {
	char **cells; /* row by row; row 0 is the header */
	size_t rows, columns;
};

/* Reads all of `text`. Returns 0, or -1 where it is not RFC 4180: a row with another number of
 * fields than the first, a quote inside a plain field, text after a closing quote, a line that does
 * not end in CR LF. Free with csv_free() in both cases. */
int csv_read(const char *text, struct csv *csv);
void csv_free(struct csv *csv);

/* The cell of the named column in row `row` (1 is the first after the header); NULL: no such. */
const char *csv_cell(const struct csv *csv, size_t row, const char *column);

#endif
