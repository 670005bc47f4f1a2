/* table.h: descriptions of tables; the code that compares, merges, frees and stores rows is driven
 * by them. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_TABLE_H
#define STORE_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Number of calls by duration. Sums of several have all buckets, others only those with calls. A
 * NULL pointer is an empty histogram. */
#define RUN_HISTOGRAM_BUCKETS 160
struct histogram {
	size_t count;
	unsigned char *numbers; /* of the buckets; in the same memory, after the calls */
	uint64_t calls[];
};

/* Returns a fresh histogram with the calls of every bucket. */
struct histogram *histogram_of(const uint64_t calls[RUN_HISTOGRAM_BUCKETS]);
/* Fills calls[] with the calls of every bucket, and returns it. */
const uint64_t *histogram_calls(const struct histogram *histogram,
				uint64_t calls[RUN_HISTOGRAM_BUCKETS]);

/* The type of a field in its struct, and in its SQLite column. Text that is not UTF-8 is stored as
 * a BLOB of the same bytes; NULL strings are stored as ''. */
enum field_type {
	FIELD_INT,	 /* int; INTEGER */
	FIELD_INT64,	 /* int64_t; INTEGER */
	FIELD_COUNT,	 /* uint64_t; INTEGER with the same 64 bits */
	FIELD_REAL,	 /* double; REAL, NULL where it is not a number */
	FIELD_CHAR,	 /* char; TEXT of one character or none */
	FIELD_CHARS,	 /* char[]; TEXT */
	FIELD_STRING,	 /* const char *, in the string pool or static; TEXT */
	FIELD_CODE,	 /* enum run_code; TEXT, its name */
	FIELD_PAIRS,	 /* the pairs of struct run; BLOB */
	FIELD_HISTOGRAM, /* struct histogram *, owned by the row; TEXT "bucket:count ..." */
	/* in reports only: */
	FIELD_WHOLE,	/* double that holds a whole number */
	FIELD_SEVERITY, /* enum severity */
};

/* How to merge a field of two rows with the same keys. */
enum field_merge {
	MERGE_KEY, /* only rows with the same value are merged */
	MERGE_FIRST,
	MERGE_SUM,   /* of numbers and histograms; a REAL that is NAN adds nothing */
	MERGE_KNOWN, /* the sum, or NAN if one of them is NAN */
	MERGE_MOST,  /* the sum; the row with the larger value counts as the first */
	MERGE_MIN,
	MERGE_MAX,
	MERGE_SAME, /* text: empty if they differ */
};

struct field {
	const char *name;
	enum field_type type;
	size_t offset, size; /* in the row's struct */
	enum field_merge merge;
	const char *unit; /* "ns", "flops", "calls", "" */
	const char *doc;  /* one line */
	int index_of;	  /* 0, or 1 + enum run_part of the table that the field is an index into; a
			     negative index means no row */
};

/* Initialises a struct field for a member of struct row. */
#define TABLE_FIELD(row, name, member, type, merge, unit, doc, index_of)                           \
	{                                                                                          \
		name, type, offsetof(struct row, member), sizeof(((struct row *)0)->member),       \
			merge, unit, doc, index_of                                                 \
	}

/* A list of rows in another struct, with its count. */
struct table {
	const char *name, *doc;
	const struct field *fields;
	size_t nfields;
	size_t row_size;
	size_t rows, count; /* offsets of the array and of its count (size_t) */
};
/* Initialises the last three members for the rows `array` of struct holder and their count
 * `number`. */
#define TABLE_ROWS(holder, array, number)                                                          \
	.row_size = sizeof *((struct holder *)0)->array, .rows = offsetof(struct holder, array),   \
	.count = offsetof(struct holder, number)

/* Fields to compare rows by, the most significant first. */
#define TABLE_ORDER_MAX 16
struct table_order {
	const struct field *by[TABLE_ORDER_MAX];
	int descending[TABLE_ORDER_MAX];
	size_t count;
};
/* Orders by the columns with these names, separated by spaces; '-' before a name means descending.
 * NULL orders by the keys. */
struct table_order table_order_by(const struct table *table, const char *names);
/* Returns less than, equal to or greater than 0, as strcmp(). */
int table_compare(const struct table_order *order, const void *a, const void *b);
/* Hashes the fields of the order. */
uint64_t table_hash(const struct table_order *order, const void *row);
/* Sorts the holder's rows; equal ones keep their order. */
void table_sort(const struct table *table, void *holder, const char *names);
/* Returns the field with MERGE_MOST, or NULL. */
const struct field *table_most(const struct table *table);

/* Merges `from` into `row`, which has the same keys. Negative times count as 0. */
void table_merge(const struct table *table, void *row, const void *from);
/* Sorts the holder's rows by their keys and merges those with the same keys. */
void table_merge_rows(const struct table *table, void *holder);
/* Turns a copy of a row into the start of a sum: sets the fields that are summed to 0, and NULL
 * strings to "". */
void table_start_sum(const struct table *table, void *row);
/* Frees the histograms of one row. */
void table_free_row(const struct table *table, void *row);

/* The number of rows, and one of the rows, of the table in its holder. */
size_t table_count(const struct table *table, const void *holder);
void *table_row(const struct table *table, const void *holder, size_t index);
/* Adds a zeroed row, valid until the next addition. */
void *table_add(const struct table *table, void *holder);
/* Frees all rows and all that they own. */
void table_free(const struct table *table, void *holder);

#endif
