/* columns.h: the tables of a report and their columns, for writers and the manual. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include "report/report.h"

/* The tables by number; the fields of each are its columns, in a struct report. */
enum report_table {
#define TABLE(array, id, name, doc) REPORT_##id,
#include "report/report_tables.def"
	REPORT_TABLES
};
#define CELLS_TABLE "cells" /* the only one that needs no run */
extern const struct table report_tables[REPORT_TABLES];
/* Returns NULL if there is no such table; the first table for a NULL name. */
const struct table *report_table_find(const char *name);

/* 1 if formats of plain rows must add the column WHAT_IF_COLUMN, the same in all rows, because the
 * runs were made with a what-if and no column of the table says so. */
#define WHAT_IF_COLUMN "what_if"
int report_table_is_marked(const struct report *report, const struct table *table);

/* A column of a table that is no part of a report. */
#define REPORT_COLUMN(row, name, member, type, unit, doc)                                          \
	TABLE_FIELD(row, name, member, type, MERGE_FIRST, unit, doc, 0)

int column_is_text(const struct field *column);
/* The text of a column, owned by the row; NULL for a number. */
const char *column_text(const struct field *column, const void *row);
/* The number; NAN if the figure does not exist or is a text. */
double column_value(const struct field *column, const void *row);

#endif
