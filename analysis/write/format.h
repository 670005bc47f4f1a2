/* format.h: the formats of reports, and those of single tables such as a comparison. */
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
	FORMAT_BINARY = 1,   /* not text, and not for a terminal */
	FORMAT_CELLS = 2,    /* can show a report that has cells but no runs */
	FORMAT_TIMELINE = 4, /* needs runs loaded with their timeline */
	FORMAT_LONG = 8,     /* text, but not for a terminal */
};

/* A format is one row here and one file with its NAME_write(): X(name, description, what a file
 * has, flags). The first is the default. */
#define FORMAT_ROWS(X)                                                                             \
	X(text, "the report as text: 24 lines, or all tables with --full", HOLDS_ALL, 0)           \
	X(csv, "one table with a header, comma-separated (RFC 4180)", HOLDS_TABLE, FORMAT_CELLS)   \
	X(tsv, "one table with a header, tab-separated", HOLDS_TABLE, FORMAT_CELLS)                \
	X(markdown, "one table in Markdown", HOLDS_TABLE, FORMAT_CELLS)                            \
	X(json, "all tables in one object", HOLDS_ALL, FORMAT_CELLS)                               \
	X(xlsx, "an Excel workbook: charts, formulas, a sheet for each table", HOLDS_ALL,          \
	  FORMAT_BINARY | FORMAT_CELLS)                                                            \
	X(html, "one self-contained web page with charts and tables", HOLDS_ALL,                   \
	  FORMAT_LONG | FORMAT_CELLS)                                                              \
	X(folded, "call stacks for FlameGraph, inferno, speedscope", HOLDS_ALL, 0)                 \
	X(pprof, "call stacks for go tool pprof", HOLDS_ALL, FORMAT_BINARY)                        \
	X(firefox, "call stacks for the Firefox Profiler", HOLDS_ALL, 0)                           \
	X(chrome, "the recorded timeline, as trace events for Perfetto", HOLDS_ALL,                \
	  FORMAT_TIMELINE)                                                                         \
	X(svg, "a picture, drawn by gnuplot", HOLDS_PICTURE, FORMAT_CELLS)                         \
	X(png, "the same as a bitmap", HOLDS_PICTURE, FORMAT_BINARY | FORMAT_CELLS)

/* Writes to `out`. part: the name of a table or picture, NULL for the first; formats that hold
 * everything ignore it. Returns 0, or -1 with *err if the format itself fails; report_write()
 * checks `out` for errors. */
typedef int format_writer(const struct report *report, const char *part, FILE *out,
			  struct error *err);
#define FORMAT_WRITER(name, ...) format_writer name##_write;
FORMAT_ROWS(FORMAT_WRITER)
#undef FORMAT_WRITER

struct report_format {
	const char *name; /* "csv" */
	const char *says; /* one line of description */
	enum format_holds holds;
	int flags;
	format_writer *write;
};
extern const struct report_format report_formats[];
extern const size_t report_formats_count;
/* Returns NULL if there is no such format. */
const struct report_format *report_format_find(const char *name);

/* Writes the report and flushes `out`, which stays open. `part` is a name of report_tables[]
 * (report/columns.h) or pictures[] (write/pictures.h), or NULL for the first. Returns 0, or -1 with
 * *err, also for a full disk or a closed pipe (the caller handles SIGPIPE). */
int report_write(const struct report *report, const struct report_format *format, const char *part,
		 FILE *out, struct error *err);

/* The formats of a single table. */
enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON, TABLE_FORMATS };

/* Writes the rows of `data`. */
typedef void rows_writer(const struct table *table, const void *data, FILE *out);
rows_writer csv_write_rows, json_write_rows;

struct table_format_name {
	const char *name;   /* "csv" */
	const char *says;   /* one line of description */
	rows_writer *write; /* NULL: the text that the table's own writer prints */
};
extern const struct table_format_name table_formats[TABLE_FORMATS];

/* Writes a struct comparison, suite_comparison, prediction or sizes. */
typedef void table_writer(const void *data, enum table_format format, FILE *out);
table_writer comparison_write, suites_write, prediction_write, sizes_write;
/* What their CSV and JSON have; sizes_table without the columns of the parameters. */
extern const struct table comparison_table, suites_table, prediction_table, sizes_table;

/* Finds the format of that name. Returns 0, or -1 with *err, whose remedy lists all names. */
int table_format_find(const char *name, enum table_format *format, struct error *err);

/* Writes the data with `text` or as rows. The caller checks `out` for errors. */
void table_write(const struct table *table, void (*text)(const void *data, FILE *out),
		 const void *data, enum table_format format, FILE *out);

/* What several formats share. */

/* Returns a new reference to all tables, the verdict and the command (report.schema.json). With
 * as_lists, each row is a list of its values, without their names. */
json_t *json_report(const struct report *report, int as_lists);

/* Writes the text as a JSON string; bytes that are not UTF-8 are escaped. */
void json_text(const char *text, FILE *out);

/* Writes the file `path`, and further temporary files into `folder`. `how` is passed through by
 * scratch_write(). Returns 0, or -1 with *err. */
typedef int scratch_maker(const struct report *report, const char *part, const char *how,
			  const char *path, const char *folder, struct error *err);

/* Makes a file in TMPDIR (or /tmp), copies it to `out` and removes it. Returns 0, or -1 with *err.
 */
int scratch_write(const struct report *report, const char *part, const char *how,
		  scratch_maker *make, FILE *out, struct error *err);

#endif
