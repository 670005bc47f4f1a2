/* text_table.h: tables for people, made from rows that say what each of their columns shows. */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_TEXT_TABLE_H
#define WRITE_TEXT_TABLE_H

#include "model/category.h"
#include "report/columns.h"
#include "write/grid.h"

/* How a cell shows its value. */
enum form {
	AS_TEXT,     /* escaped, cut to the column's width */
	AS_NAME,     /* likewise; "-" where it is empty */
	AS_INT,	     /* the others are numbers, "-" where there is none: "12" */
	AS_FRACTION, /* "0.123" */
	AS_SHARE,    /* "12.3", as these by the functions of base/human.h */
	AS_TIME,
	AS_COUNT,
	AS_FIGURES,
	AS_NUMBER,
};

#define TEXT_CELL_MAX 512
#define PART_BLOCKED  CAT_COUNT /* the part of BLAS in which threads were blocked */
#define PARTS	      (CAT_COUNT + 1)

struct text_table;
/* What it shows is the value of a column by its name, or what value() or text() makes of the row.
 */
struct text_column {
	const char *column;
	const char *heading; /* NULL: the unit of work a second, "steps/s" */
	enum form form;
	int width;	/* characters of a text, at most; 0: all that fits a cell */
	int with_range; /* 1: "± " half the distance from column_low to column_high */
	double (*value)(const struct text_table *table, const struct text_column *column,
			const void *row);
	void (*text)(const struct text_table *table, const struct text_column *column,
		     const void *row, char text[TEXT_CELL_MAX]);
	int is_right;				      /* 1: a text that stands on the right */
	int (*is_shown)(const struct report *report); /* NULL: always */
	/* In place of all that: a column for the share of each category in a row's time. Fills
	 * ns[], returns what they are shares of. */
	double (*split)(const struct text_table *table, const void *row, double ns[PARTS]);
	int each_category; /* 1: a column like it for each category, with that index */
	size_t index;	   /* for the functions */
};

struct text_table {
	const struct field *from; /* that columns are named of */
	size_t nfrom;
	const struct report *report; /* for the functions; NULL where `data` is no report */
	const void *data;	     /* for the functions */
	struct text_column columns[GRID_COLUMNS];
	size_t ncolumns;
	char work_rate[32];
};

/* Such functions. The body of a TEXT_FUNCTION has table, column, data and text[]; in the others
 * `row` is the data as a struct of that type. */
#define TEXT_FUNCTION(name)                                                                        \
	static void name(const struct text_table *table, const struct text_column *column,         \
			 const void *data, char text[TEXT_CELL_MAX])
#define TEXT_CELL(name, type, ...)                                                                 \
	TEXT_FUNCTION(name)                                                                        \
	{                                                                                          \
		const struct type *row = data;                                                     \
                                                                                                   \
		snprintf(text, TEXT_CELL_MAX, __VA_ARGS__);                                        \
	}
#define TEXT_VALUE(name, type, expression)                                                         \
	static double name(const struct text_table *table, const struct text_column *column,       \
			   const void *data)                                                       \
	{                                                                                          \
		const struct type *row = data;                                                     \
                                                                                                   \
		return expression;                                                                 \
	}

/* Begins a table of a report, with the columns of report_tables[] of that name. */
void text_table_begin(struct text_table *table, const struct report *report, const char *name);
/* Adds those of the columns that are shown. */
void text_table_add(struct text_table *table, const struct text_column *columns, size_t count);
void text_table_print(const struct text_table *table, const void *const *rows, size_t count,
		      FILE *out);

/* The same of `count` rows in an array, of row_size bytes each. */
void text_table_print_array(const struct text_table *table, const void *rows, size_t row_size,
			    size_t count, FILE *out);

/* A section of the text report: rows of a table of the report. */
struct text_section {
	const char *table;
	const struct text_column *columns;
	size_t ncolumns;
	const char *title, *after; /* "TITLE at 4 threads: 10 of 12AFTER"; NULL: none */
	const char *says; /* what stands below the title, or in place of it; NULL: nothing */
	/* Likewise. */
	void (*write_head)(const struct report *report, size_t shown, size_t count, FILE *out);
	int all_threads; /* 1: not only rows at the thread count that the text is on */
	int (*is_shown)(const void *row); /* NULL: all of these */
	size_t most;			  /* rows that are shown; 0: options.top */
	int most_each;			  /* 1: at each thread count no more than options.top */
	size_t rows, count; /* places in struct report, where the table has other rows */
};
/* Writes a section, where any row of it is shown. */
void text_section_write(const struct report *report, const struct text_section *section, FILE *out);

/* 1 where text shows the category: an optional one only where the program spent time in it. */
int text_has_category(const struct report *report, int category);

/* "1.58", or "1.58 ± 0.04" where the interval is known. Returns text[]. */
#define RANGE_TEXT_MAX 80
const char *range_text(enum form form, double value, double low, double high,
		       char text[RANGE_TEXT_MAX]);

/* The same with "~" before it where it rests on an estimate. */
void estimate_text(int is_estimate, enum form form, double value, double low, double high,
		   char text[TEXT_CELL_MAX]);
/* "+12.3%", "x11.2", or "-" for NAN into text[]: a change as a share. */
void change_text(double change, char text[TEXT_CELL_MAX]);

#endif
