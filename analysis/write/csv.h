/* csv.h: writes any array of rows as comma-separated values. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include <stdio.h>

#include "report/columns.h"

/* A header and `count` rows of row_size bytes each, with a decimal point where the thread's locale
 * has one. Returns 0. */
int csv_write_rows(const struct report_column *columns, size_t ncolumns, const void *rows,
		   size_t row_size, size_t count, FILE *out);

/* Spreadsheets take a cell that begins like this for a formula; a quote before it says that it is
 * text. */
int csv_looks_like_formula(const char *text);

#endif
