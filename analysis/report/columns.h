/* columns.h: the tables of a report and their columns, for writers and the manual. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include "report/report.h"

/* The tables by number; the fields of each are its columns. Their holder is a struct report. */
enum report_table {
#define TABLE(array, id, name, doc) REPORT_##id,
#define FIELD(...)
#define MERGED(...)
#define COLUMN(...)
#define MEMBER(...)
#define SUMS(...)
#define END
#include "report/report_tables.def"
	REPORT_TABLES
};
#define CELLS_TABLE "cells" /* the one that takes no run */
extern const struct table report_tables[REPORT_TABLES];
/* The first table for NULL; NULL where there is no such table. */
const struct table *report_table_find(const char *name);

/* 1 where a format of plain rows adds the column WHAT_IF_COLUMN, the same in all rows: the runs
 * were changed, and no column of the table says so. */
#define WHAT_IF_COLUMN "what_if"
int report_table_is_marked(const struct report *report, const struct table *table);

/* A column for a table that is written by itself. */
#define REPORT_COLUMN(row, name, member, type, unit, doc)                                          \
	{                                                                                          \
		name, type, offsetof(struct row, member), sizeof(((struct row *)0)->member),       \
			MERGE_FIRST, unit, doc, 0                                                  \
	}

int column_is_text(const struct field *column);
/* The text of a column that holds one ("" for none), owned by the row; NULL for a number. */
const char *column_text(const struct field *column, const void *row);
/* The number; NAN where the figure does not exist, or is a text. */
double column_value(const struct field *column, const void *row);
/* The number as text, with a decimal point where the thread's locale has one; "" where the figure
 * does not exist. Returns its length. */
int column_number(const struct field *column, const void *row, char *text, size_t size);

#endif
