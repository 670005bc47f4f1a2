/* csv.h: writes any array of rows as comma-separated values. */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_CSV_H
#define WRITE_CSV_H

#include <stdio.h>

#include "report/columns.h"

/* A header and `count` rows of row_size bytes each, with a decimal point where the thread's locale
 * has one. */
void csv_write_rows(const struct field *columns, size_t ncolumns, const void *rows, size_t row_size,
		    size_t count, FILE *out);

#endif
