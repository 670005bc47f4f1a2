/* text_table.h: tables of text, whose columns are described by rows. */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_TEXT_TABLE_H
#define WRITE_TEXT_TABLE_H

#include "base/string_pool.h"
#include "model/category.h"
#include "report/columns.h"
#include "write/grid.h"

/* How a cell shows its value. */
enum form {
	AS_TEXT,     /* escaped, cut to the column's width */
	AS_NAME,     /* the same; "-" if it is empty */
	AS_RIGHT,    /* as AS_TEXT; this and all below are aligned to the right */
	AS_INT,	     /* "12"; this and all below are numbers, "-" if unknown */
	AS_FRACTION, /* "0.123" */
	AS_SHARE,    /* "12.3"; this and all below by the functions of base/human.h */
	AS_TIME,
	AS_COUNT,
	AS_FIGURES,
	AS_NUMBER,
	AS_CHANGE, /* a relative one: "+12.3%", "x11.2" */
};

#define PART_BLOCKED CAT_COUNT /* the part of BLAS in which threads were blocked */
#define PARTS	     (CAT_COUNT + 1)

struct text_table;
/* A column shows a field of the table by its name, or what value() or text() returns for the row.
 */
struct text_column {
	const char *column;
	const char *heading; /* NULL: work per second, "steps/s" */
	enum form form;
	int width;	/* most characters of a text; 0: as many as a cell holds */
	int with_range; /* 1: with "± " half of the interval from NAME_low to NAME_high */
	int with_mark;	/* 1: with "~" before it in rows whose f_estimated is not 0 */
	double (*value)(const struct text_table *table, const struct text_column *column,
			const void *row);
	const char *(*text)(const struct text_table *table, const struct text_column *column,
			    const void *row);
	int (*is_shown)(const struct report *report); /* NULL: always */
	/* Instead of the above: one column for each category, with its share of the row's time.
	 * Fills ns[] and returns the whole. */
	double (*split)(const struct text_table *table, const void *row, double ns[PARTS]);
	int each_category; /* 1: repeat the column for each category, whose number is `index` */
	size_t index;	   /* for use by the functions */
};

struct text_table {
	const struct field *from; /* the fields that text_column.column names */
	size_t nfrom;
	const struct report *report; /* for the functions; NULL where `data` is no report */
	const void *data;	     /* for the functions */
	struct text_column columns[GRID_COLUMNS];
	size_t ncolumns;
	char work_rate[32];
};

/* Define functions for text_column. The body of a TEXT_FUNCTION uses table, column and data, and
 * returns a text of the string pool. The others return the value of an expression, in which `row`
 * is the data as a struct of the given type. */
#define TEXT_FUNCTION(name)                                                                        \
	static const char *name(const struct text_table *table, const struct text_column *column,  \
				const void *data)
#define TEXT_EXPRESSION(result, name, type, ...)                                                   \
	static result name(const struct text_table *table, const struct text_column *column,       \
			   const void *data)                                                       \
	{                                                                                          \
		const struct type *row = data;                                                     \
                                                                                                   \
		return __VA_ARGS__;                                                                \
	}
#define TEXT_VALUE(...)		   TEXT_EXPRESSION(double, __VA_ARGS__)
#define TEXT_OF(...)		   TEXT_EXPRESSION(const char *, __VA_ARGS__)
#define TEXT_CELL(name, type, ...) TEXT_OF(name, type, string_printf(__VA_ARGS__))

/* A column whose cells a function computes from the row: a number in a given form, or a text. */
#define NUMBER(heading_, form_, function, ...)                                                     \
	{                                                                                          \
		.heading = heading_, .form = form_, .value = function, __VA_ARGS__                 \
	}
#define TEXT(heading_, width_, function, ...)                                                      \
	{                                                                                          \
		.heading = heading_, .width = width_, .text = function, __VA_ARGS__                \
	}
/* The same text, aligned to the right; `index_` is for the function. */
#define RIGHT(heading_, function, index_)                                                          \
	TEXT(heading_, 0, function, .form = AS_RIGHT, .index = index_)

/* Begins a table that shows fields of the report's table of that name. */
void text_table_begin(struct text_table *table, const struct report *report, const char *name);
/* Adds the columns whose is_shown() agrees. */
void text_table_add(struct text_table *table, const struct text_column *columns, size_t count);
void text_table_print(const struct text_table *table, const void *const *rows, size_t count,
		      FILE *out);

/* The same for an array of `count` rows of row_size bytes each. */
void text_table_print_array(const struct text_table *table, const void *rows, size_t row_size,
			    size_t count, FILE *out);

/* A section of the text report: rows of a table of the report. */
struct text_section {
	const char *table;
	const struct text_column *columns;
	size_t ncolumns;
	const char *title, *after; /* "TITLE at 4 threads: 10 of 12AFTER"; NULL: none */
	const char *says;	   /* sentences below the title, or instead of it; NULL: none */
	/* Writes further sentences. */
	void (*write_head)(const struct report *report, size_t shown, size_t count, FILE *out);
	int (*applies)(const struct report *report); /* NULL: always */
	int all_threads; /* 1: the rows of all thread counts, not only of text_threads() */
	int (*is_shown)(const void *row); /* NULL: all of them */
	size_t most;			  /* how many rows are shown; 0: options.top */
	int most_each;			  /* 1: at most options.top rows for each thread count */
	size_t rows, count; /* offsets in struct report of other rows than the table's; 0: none */
	/* For text_full(): writes what follows the table; without a table, this is all. */
	void (*write)(const struct report *report, FILE *out);
};
/* Writes the section's table unless it has no rows or does not apply. */
void text_section_write(const struct report *report, const struct text_section *section, FILE *out);

/* Parts of the full report: its begin and its end (text.c), and counted events (text_counters.c).
 */
void text_header(const struct report *report, FILE *out);
void text_verdict(const struct report *report, FILE *out);
void text_counters(const struct report *report, FILE *out);
void text_closing(const struct report *report, FILE *out);
/* Writes all of it. */
void text_full(const struct report *report, FILE *out);

/* The report that fits a terminal (brief.c), and its table of the given rows. */
void brief_write(const struct report *report, FILE *out);
void text_brief_table(const struct report *report, const void *const *rows, size_t count,
		      FILE *out);

/* Returns 1 if text shows the category. Optional ones are shown if the program spent time in them.
 */
int text_has_category(const struct report *report, int category);

/* Returns "1.58", or "1.58 ± 0.04" if the interval is known. */
const char *range_text(enum form form, double value, double low, double high);

/* The same, with "~" before an estimate. */
const char *estimate_text(int is_estimate, enum form form, double value, double low, double high);

#endif
