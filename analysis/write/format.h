/* format.h: the formats that a report can be written in. */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_FORMAT_H
#define WRITE_FORMAT_H

#include "report/report.h"

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

#endif
