/* format.h: the formats that a report can be written in, and those of what is one table. */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_FORMAT_H
#define WRITE_FORMAT_H

#include <jansson.h>
#include <stdio.h>

#include "base/error.h"
#include "report/columns.h"

/* What a file of the format has: the whole report, one table, or one picture. */
enum format_holds { HOLDS_ALL, HOLDS_TABLE, HOLDS_PICTURE };

/* For format_row.flags. */
enum {
	FORMAT_BINARY = 1,   /* nothing for a terminal */
	FORMAT_CELLS = 2,    /* makes sense of a report on cells without any run */
	FORMAT_TIMELINE = 4, /* wants runs that were loaded with their timeline */
};

/* A format is one row here and one file with its NAME_write(): X(name, one line for people, what a
 * file has, flags). The first is the default. */
#define FORMAT_ROWS(X)                                                                             \
	X(text, "the report for people: 24 lines; all tables with --full", HOLDS_ALL, 0)           \
	X(csv, "one table with a header, comma-separated (RFC 4180)", HOLDS_TABLE, FORMAT_CELLS)   \
	X(tsv, "one table with a header, tab-separated", HOLDS_TABLE, FORMAT_CELLS)                \
	X(markdown, "one table for a page in Markdown", HOLDS_TABLE, FORMAT_CELLS)                 \
	X(json, "all tables in one object", HOLDS_ALL, FORMAT_CELLS)                               \
	X(xlsx, "a workbook: a sheet for each table, a chart, formulas", HOLDS_ALL,                \
	  FORMAT_BINARY | FORMAT_CELLS)                                                            \
	X(html, "a page with charts and tables that needs nothing else", HOLDS_ALL, FORMAT_CELLS)  \
	X(folded, "call stacks for FlameGraph, inferno, speedscope", HOLDS_ALL, 0)                 \
	X(pprof, "call stacks for go tool pprof", HOLDS_ALL, FORMAT_BINARY)                        \
	X(firefox, "call stacks for the Firefox Profiler", HOLDS_ALL, 0)                           \
	X(chrome, "the timeline that was recorded, as trace events for Perfetto", HOLDS_ALL,       \
	  FORMAT_TIMELINE)                                                                         \
	X(svg, "a picture, drawn by gnuplot", HOLDS_PICTURE, FORMAT_CELLS)                         \
	X(png, "likewise, in pixels", HOLDS_PICTURE, FORMAT_BINARY | FORMAT_CELLS)

/* Writes to `out`, with a decimal point in every locale. part: the name of a table or picture, NULL
 * for the first; ignored by formats that hold all. 0, or -1 with *err where the format itself
 * fails. What `out` cannot take is found by report_write(). */
typedef int format_writer(const struct report *report, const char *part, FILE *out,
			  struct error *err);
#define FORMAT_WRITER(name, ...) format_writer name##_write;
FORMAT_ROWS(FORMAT_WRITER)
#undef FORMAT_WRITER

struct report_format {
	const char *name; /* "csv" */
	const char *says; /* one line for people */
	enum format_holds holds;
	int flags;
	format_writer *write;
};
extern const struct report_format report_formats[];
extern const size_t report_formats_count;
/* NULL where there is no such format. */
const struct report_format *report_format_find(const char *name);

/* Writes the report and flushes `out`, which stays open. `part` is a name of report_tables[]
 * (report/columns.h) or pictures[] (write/pictures.h), NULL for the first, and ignored by formats
 * that hold all. Returns 0, or -1 with *err: full disk, closed pipe (SIGPIPE is the caller's). */
int report_write(const struct report *report, const struct report_format *format, const char *part,
		 FILE *out, struct error *err);

/* Forms of one table. */
enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON, TABLE_FORMATS };

/* Writes the rows that `data` holds. Needs the C locale (base/c_locale.h). */
typedef void rows_writer(const struct table *table, const void *data, FILE *out);
rows_writer csv_write_rows, json_write_rows;

struct table_format_name {
	const char *name;   /* "csv" */
	const char *says;   /* one line for people */
	rows_writer *write; /* NULL: the table's own text */
};
extern const struct table_format_name table_formats[TABLE_FORMATS];

/* Writes a struct comparison, suite_comparison, prediction or sizes. */
typedef void table_writer(const void *data, enum table_format format, FILE *out);
table_writer comparison_write, suites_write, prediction_write, sizes_write;

/* Finds the format, NULL for the first. 0, or -1 with *err, whose remedy names those there are. */
int table_format_find(const char *name, enum table_format *format, struct error *err);

/* Writes the data by `text` for people, or its rows, with a decimal point in every locale, whether
 * `out` takes it or not: that is for the caller to see. */
void table_write(const struct table *table, void (*text)(const void *data, FILE *out),
		 const void *data, enum table_format format, FILE *out);

/* What several formats share. */

/* All tables, the verdict and what was run (report.schema.json): a new reference. Needs the C
 * locale (base/c_locale.h). as_lists: 1: each row is the list of its values, without their names.
 */
json_t *json_report(const struct report *report, int as_lists);

/* Writes the text as a JSON string, with what is no character of UTF-8 escaped. */
void json_text(const char *text, FILE *out);

/* Makes what goes into the file of that name; 0, or -1 with *err. how: as handed to
 * scratch_write(); folder: for further temporary files. */
typedef int scratch_maker(const struct report *report, const char *part, const char *how,
			  const char *path, const char *folder, struct error *err);

/* Has it made in TMPDIR (or /tmp), copies it to `out` and removes it. 0, or -1 with *err. */
int scratch_write(const struct report *report, const char *part, const char *how,
		  scratch_maker *make, FILE *out, struct error *err);

#endif
