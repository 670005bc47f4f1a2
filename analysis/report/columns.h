/* columns.h: the tables of a report and their columns: one row each, for writers and the manual. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include "report/report.h"

/* How a column's value lies in its row. */
enum value_type {
	VALUE_TEXT,	/* char * */
	VALUE_CHARS,	/* char[] */
	VALUE_INT,	/* int */
	VALUE_INT64,	/* int64_t */
	VALUE_WHOLE,	/* double that stands for a whole number */
	VALUE_REAL,	/* double */
	VALUE_SEVERITY, /* enum severity: its name */
};

struct report_column {
	const char *name;
	enum value_type type;
	size_t offset;	  /* of the value in the row */
	const char *unit; /* "ns", "flops", "" */
	const char *doc;  /* one line */
};

struct report_table {
	const char *name;
	const char *doc;
	const struct report_column *columns;
	size_t ncolumns;
	size_t row_size;
	size_t rows, count; /* offsets of the array and its length in struct report */
};
#define CELLS_TABLE "cells" /* the one that takes no run */
extern const struct report_table report_tables[];
extern const size_t report_tables_count;
/* The first table for NULL; NULL where there is no such table. */
const struct report_table *report_table_find(const char *name);

size_t report_table_rows(const struct report *report, const struct report_table *table);
const void *report_table_row(const struct report *report, const struct report_table *table,
			     size_t index);

/* 1 where a format of plain rows adds the column WHAT_IF_COLUMN, the same in all rows: the runs were
 * changed, and no column of the table says so. */
#define WHAT_IF_COLUMN "what_if"
int report_table_is_marked(const struct report *report, const struct report_table *table);

int column_is_text(const struct report_column *column);
/* The text of a column that holds one ("" for none), owned by the row; NULL for a number. */
const char *column_text(const struct report_column *column, const void *row);
/* The number; NAN where the figure does not exist, or is a text. */
double column_value(const struct report_column *column, const void *row);
/* The number as text, with a decimal point where the thread's locale has one; "" where the figure
 * does not exist. Returns its length. */
int column_number(const struct report_column *column, const void *row, char *text, size_t size);

#endif
