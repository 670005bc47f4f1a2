/* table_format.h: the formats of what is one table: a prediction, a comparison. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_TABLE_FORMAT_H
#define REPORT_TABLE_FORMAT_H

#include <stdio.h>

#include "util/error.h"

/* Forms of one table; whoever has such a table has a writer for each. */
enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_FORMATS };

struct table_format_name {
	const char *name; /* "csv" */
	const char *says; /* one line for people */
};
extern const struct table_format_name table_formats[TABLE_FORMATS];

/* Writes whatever `data` is; 0, or -1 when memory is out. */
typedef int table_writer(const void *data, FILE *out);

/* Finds the format, NULL for the first. 0, or -1 with *err, whose remedy names those there are. */
int table_format_find(const char *name, enum table_format *format, struct error *err);

/* Has the data written with a decimal point in every locale, whether `out` takes it or not: that
 * is for the caller to see. 0, or -1 with *err when memory is out. */
int table_write(table_writer *const writers[TABLE_FORMATS], enum table_format format,
		const void *data, FILE *out, struct error *err);

#endif
