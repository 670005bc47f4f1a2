/* table.h: tables of rows whose fields are described once: what sums, frees and stores them reads
 * these descriptions. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_TABLE_H
#define STORE_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Calls by duration, with room for those buckets only that have some: in bucket `first` and those
 * after it; none in others. NULL: none at all. */
#define RUN_HISTOGRAM_BUCKETS 160
struct histogram {
	int first, count;
	uint64_t calls[];
};

/* Adds calls to a bucket of *histogram, which is moved where it must grow. */
void histogram_add(struct histogram **histogram, int bucket, uint64_t calls);
/* Writes the calls of each bucket; returns calls[]. */
const uint64_t *histogram_calls(const struct histogram *histogram,
				uint64_t calls[RUN_HISTOGRAM_BUCKETS]);

/* How a field is kept in its struct, and in a column of SQLite. Text that is not UTF-8 is kept as a
 * BLOB of the same bytes; NULL strings become ''. */
enum field_type {
	FIELD_INT,	 /* int; INTEGER */
	FIELD_INT64,	 /* int64_t; INTEGER */
	FIELD_COUNT,	 /* uint64_t; INTEGER with the same 64 bits */
	FIELD_REAL,	 /* double; REAL, NULL where it is not a number */
	FIELD_CHAR,	 /* char; TEXT of one character or none */
	FIELD_CHARS,	 /* char[]; TEXT */
	FIELD_STRING,	 /* char *, owned by the row; TEXT */
	FIELD_CODE,	 /* enum run_code; TEXT, its name */
	FIELD_PAIRS,	 /* the pairs of struct run; BLOB */
	FIELD_HISTOGRAM, /* struct histogram *, owned by the row; TEXT "bucket:count ..." */
	/* in reports only: */
	FIELD_WHOLE,	/* double that stands for a whole number */
	FIELD_TEXT,	/* const char *, not owned by the row */
	FIELD_SEVERITY, /* enum severity */
};

/* How two rows with the same keys become one. */
enum field_merge {
	MERGE_KEY, /* alike in both, or they are not merged */
	MERGE_FIRST,
	MERGE_SUM,   /* numbers and histograms; a REAL that is not a number adds nothing */
	MERGE_KNOWN, /* the sum, which is not a number where one of them is none */
	MERGE_MOST,  /* the sum; and FIRST is of the row that has the most of it */
	MERGE_MIN,
	MERGE_MAX,
	MERGE_SAME, /* text: empty where they differ */
};

struct field {
	const char *name;
	enum field_type type;
	size_t offset, size; /* in the row's struct */
	enum field_merge merge;
	const char *unit; /* "ns", "flops", "calls", "" */
	const char *doc;  /* one line */
	int index_of; /* 1 + enum run_part of the table that it is an index into; less than 0 in it:
			 of no row. 0: it is no index */
};

/* A list of rows in another struct, with its count. */
struct table {
	const char *name, *doc;
	const struct field *fields;
	size_t nfields;
	size_t row_size;
	size_t rows, count; /* offsets of the array and of its count (size_t) */
};
/* The last three, where struct holder has the rows in `array`, `number` of them. */
#define TABLE_ROWS(holder, array, number)                                                          \
	.row_size = sizeof *((struct holder *)0)->array, .rows = offsetof(struct holder, array),   \
	.count = offsetof(struct holder, number)

/* Fields to compare rows by, in their order. */
#define TABLE_ORDER_MAX 16
struct table_order {
	const struct field *by[TABLE_ORDER_MAX];
	int descending[TABLE_ORDER_MAX];
	size_t count;
};
/* By the columns of these names, separated by spaces, those after '-' in descending order; NULL: by
 * the keys. */
struct table_order table_order_by(const struct table *table, const char *names);
/* Less than, equal to or greater than 0, as strcmp(). */
int table_compare(const struct table_order *order, const void *a, const void *b);
/* Rows that compare as equal have the same. */
uint64_t table_hash(const struct table_order *order, const void *row);
/* Sorts the holder's rows; those that compare as equal stay in their order. */
void table_sort(const struct table *table, void *holder, const char *names);
/* The field that MERGE_MOST marks, or NULL. */
const struct field *table_most(const struct table *table);

/* Adds `from` to `row`, which has the same keys. Times less than 0 count as 0. */
void table_merge(const struct table *table, void *row, const void *from);
/* Sorts the holder's rows by their keys, and makes one row of those that have the same. */
void table_merge_rows(const struct table *table, void *holder);
/* Makes a copy of one row the start of a sum: what is added up is 0, and strings are its own. */
void table_start_sum(const struct table *table, void *row);
/* Frees the strings and histograms of one row. */
void table_free_row(const struct table *table, void *row);

/* The table's rows in the struct that holds it. */
size_t table_count(const struct table *table, const void *holder);
void *table_row(const struct table *table, const void *holder, size_t index);
/* Adds one row of zero bytes, valid until the next addition. */
void *table_add(const struct table *table, void *holder);
/* Frees all rows with what they own. */
void table_free(const struct table *table, void *holder);

#endif
