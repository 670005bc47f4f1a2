/* table_format.h: the formats of what is one table: a prediction, a comparison. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_TABLE_FORMAT_H
#define REPORT_TABLE_FORMAT_H

#include <stdio.h>

#include "report/columns.h"
#include "base/error.h"

/* Forms of one table. */
enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON, TABLE_FORMATS };

/* Writes `count` rows of row_size bytes each. */
typedef void rows_writer(const struct field *columns, size_t ncolumns, const void *rows,
			 size_t row_size, size_t count, FILE *out);
rows_writer csv_write_rows, json_write_rows; /* need the C locale (base/c_locale.h) */

struct table_format_name {
	const char *name;   /* "csv" */
	const char *says;   /* one line for people */
	rows_writer *write; /* NULL: the table's own text */
};
extern const struct table_format_name table_formats[TABLE_FORMATS];

/* How a table is written, whatever `data` is. */
struct table_writers {
	void (*text)(const void *data, FILE *out);		       /* for people */
	void (*rows)(const void *data, rows_writer *write, FILE *out); /* calls *write once */
};

/* What there is to write: struct comparison, prediction, sizes. */
extern const struct table_writers comparison_writers, prediction_writers, sizes_writers;

/* Finds the format, NULL for the first. 0, or -1 with *err, whose remedy names those there are. */
int table_format_find(const char *name, enum table_format *format, struct error *err);

/* Has the data written with a decimal point in every locale, whether `out` takes it or not: that
 * is for the caller to see. */
void table_write(const struct table_writers *writers, enum table_format format, const void *data,
		 FILE *out);

#endif
